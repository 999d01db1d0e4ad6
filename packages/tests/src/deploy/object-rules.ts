import { type Manifest, named, ofKind } from './chart.ts'

const LABEL = /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/
const HOST = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/** What an API server or an operator says of single objects beyond their schema: one sentence for each thing. */
export const objectFaults = (manifests: Manifest[]): string[] => [
  ...manifests.flatMap(labelFaults),
  ...ofKind(manifests, 'Ingress').flatMap(hostFaults),
  ...manifests.filter(holdsData).flatMap(keepingFaults),
  ...manifests.filter(isServersOfStrimzi).flatMap(lastingFaults),
  ...brokerFaults(manifests),
]

function labelFaults(manifest: Manifest): string[] {
  const { spec } = manifest
  const templates = [spec?.template, spec?.jobTemplate?.spec?.template].filter(Boolean)
  return [manifest, ...templates]
    .flatMap(({ metadata }) => Object.entries<string>(metadata?.labels ?? {}))
    .filter(([, value]) => !LABEL.test(value))
    .map(([name, value]) => `${named(manifest)} cannot have ${value} as its label ${name}`)
}

const hostFaults = (ingress: Manifest) =>
  [...ingress.spec.rules.map(({ host }: any) => host), ...ingress.spec.tls.flatMap(({ hosts }: any) => hosts)]
    .filter((host) => !HOST.test(host))
    .map((host) => `${named(ingress)} is for ${host}, which is no host`)

/** An uninstallation, or a value that was left out once, must not end orders, events or pictures. */
const holdsData = ({ apiVersion, kind }: Manifest) =>
  kind === 'PersistentVolumeClaim' ||
  (kind === 'Cluster' && apiVersion.startsWith('postgresql.cnpg.io/')) ||
  (['Kafka', 'KafkaNodePool'].includes(kind) && apiVersion.startsWith('kafka.strimzi.io/'))

const keepingFaults = (manifest: Manifest) =>
  manifest.metadata.annotations?.['helm.sh/resource-policy'] === 'keep'
    ? []
    : [`${named(manifest)} goes with the release, and what it holds with it`]

/** Strimzi hands labels on to its pods, but not those of app.kubernetes.io, and a pod with another label is a new pod. */
const isServersOfStrimzi = ({ kind }: Manifest) => ['Kafka', 'KafkaNodePool'].includes(kind)

const lastingFaults = (manifest: Manifest) =>
  Object.keys(manifest.metadata.labels ?? {})
    .filter((label) => label === 'helm.sh/chart')
    .map((label) => `${named(manifest)} replaces its servers with each release, by the label ${label}`)

/** KEDA asks from a namespace of its own, and a topic has no more copies than there are brokers. */
function brokerFaults(manifests: Manifest[]): string[] {
  const brokers = ofKind(manifests, 'KafkaNodePool').reduce((sum, { spec }) => sum + spec.replicas, 0)
  return [
    ...ofKind(manifests, 'ScaledObject').flatMap((scaler) =>
      scaler.spec.triggers
        .flatMap(({ metadata }: any) => metadata.bootstrapServers.split(','))
        .filter((address: string) => !address.includes('.'))
        .map((address: string) => `${named(scaler)} asks ${address}, which only this namespace knows`),
    ),
    ...ofKind(manifests, 'ConfigMap')
      .filter(({ data }) => brokers > 0 && Number(data.KAFKA_REPLICATION) > brokers)
      .map((config) => `${named(config)} wants more copies than there are brokers`),
  ]
}
