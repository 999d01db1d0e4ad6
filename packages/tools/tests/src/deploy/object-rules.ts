import { type Manifest, named, ofKind } from './chart.ts'

const LABEL = /^([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/
const HOST = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/

/**
 * Rules of the API server and of operators for single objects that schemas do not contain; one sentence per violation.
 */
export const objectViolations = (manifests: Manifest[]): string[] => [
  ...manifests.flatMap(labelViolations),
  ...ofKind(manifests, 'Ingress').flatMap(hostViolations),
  ...manifests.filter(holdsData).flatMap(retentionViolations),
  ...manifests.filter(isStrimziServer).flatMap(stableLabelViolations),
  ...brokerViolations(manifests),
]

function labelViolations(manifest: Manifest): string[] {
  const { spec } = manifest
  const templates = [spec?.template, spec?.jobTemplate?.spec?.template].filter(Boolean)
  return [manifest, ...templates]
    .flatMap(({ metadata }) => Object.entries<string>(metadata?.labels ?? {}))
    .filter(([, value]) => !LABEL.test(value))
    .map(([name, value]) => `${named(manifest)} has an invalid label ${value} for ${name}`)
}

const hostViolations = (ingress: Manifest) =>
  [...ingress.spec.rules.map(({ host }: any) => host), ...(ingress.spec.tls ?? []).flatMap(({ hosts }: any) => hosts)]
    .filter((host) => !HOST.test(host))
    .map((host) => `${named(ingress)} has the invalid host ${host}`)

/** Objects with data: `helm uninstall`, or a value that is left out, must not delete them. */
const holdsData = ({ apiVersion, kind }: Manifest) =>
  kind === 'PersistentVolumeClaim' ||
  (kind === 'Cluster' && apiVersion.startsWith('postgresql.cnpg.io/')) ||
  (kind === 'ObjectStore' && apiVersion.startsWith('barmancloud.cnpg.io/')) ||
  (['Kafka', 'KafkaNodePool'].includes(kind) && apiVersion.startsWith('kafka.strimzi.io/'))

const retentionViolations = (manifest: Manifest) =>
  manifest.metadata.annotations?.['helm.sh/resource-policy'] === 'keep'
    ? []
    : [`${named(manifest)} is deleted with the release, together with its data`]

/** Strimzi copies labels to its pods, except app.kubernetes.io ones, and replaces a pod whose label changes. */
const isStrimziServer = ({ kind }: Manifest) => ['Kafka', 'KafkaNodePool'].includes(kind)

const stableLabelViolations = (manifest: Manifest) =>
  Object.keys(manifest.metadata.labels ?? {})
    .filter((label) => label === 'helm.sh/chart')
    .map((label) => `${named(manifest)} restarts its servers with each release, because of the label ${label}`)

/** KEDA resolves addresses in its own namespace; a topic cannot have more replicas than there are brokers. */
function brokerViolations(manifests: Manifest[]): string[] {
  const brokers = ofKind(manifests, 'KafkaNodePool').reduce((sum, { spec }) => sum + spec.replicas, 0)
  return [
    ...ofKind(manifests, 'ScaledObject').flatMap((scaler) =>
      scaler.spec.triggers
        .flatMap(({ metadata }: any) => metadata.bootstrapServers.split(','))
        .filter((address: string) => !address.includes('.'))
        .map((address: string) => `${named(scaler)} has the address ${address}, which resolves only in this namespace`),
    ),
    ...ofKind(manifests, 'ConfigMap')
      .filter(({ data }) => brokers > 0 && Number(data.KAFKA_REPLICATION) > brokers)
      .map((config) => `${named(config)} has a replication factor above the number of brokers`),
  ]
}
