import { KEEP_ALIVE_MS } from '@nifty/service-kit/http/drain'
import { type Manifest, named, ofKind } from './chart.ts'
import { objectFaults } from './object-rules.ts'
import { bytes, cores } from './quantity.ts'

type Labels = Record<string, string>
type Pods = { owner: Manifest; labels: Labels; spec: any }

/** The pods that objects make: of deployments, jobs and scheduled jobs. */
export function podsOf(manifests: Manifest[]): Pods[] {
  return ofKind(manifests, 'Deployment', 'Job', 'CronJob').map((owner) => {
    const template = owner.kind === 'CronJob' ? owner.spec.jobTemplate.spec.template : owner.spec.template
    return { owner, labels: template.metadata.labels, spec: template.spec }
  })
}

export const matches = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)

/** What no schema sees: one sentence for each thing that is wrong. */
export const faults = (manifests: Manifest[]): string[] => [
  ...nameFaults(manifests),
  ...objectFaults(manifests),
  ...ofKind(manifests, 'Deployment').flatMap((deployment) => deploymentFaults(manifests, deployment)),
  ...podsOf(manifests).flatMap(podFaults),
  ...selectorFaults(manifests),
  ...scalingFaults(manifests),
]

/** How long a pod answers on after it is told to stop. */
function drainSecondsOf(manifests: Manifest[], container: Manifest): number {
  const [{ configMapRef }] = container.envFrom
  const config = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name)
  return Number(config?.data.DRAIN_SECONDS)
}

function nameFaults(manifests: Manifest[]) {
  const names = manifests.map(named)
  return [
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is there twice`),
    ...manifests
      .filter(({ metadata }) => !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(metadata.name))
      .map((manifest) => `${named(manifest)} has no valid name`),
    ...manifests.filter(({ metadata }) => metadata.namespace !== 'shop').map((each) => `${named(each)} is elsewhere`),
  ]
}

function deploymentFaults(manifests: Manifest[], deployment: Manifest): string[] {
  const { spec } = deployment
  const labels: Labels = spec.template.metadata.labels
  const pod = spec.template.spec
  const budgets = ofKind(manifests, 'PodDisruptionBudget').filter((each) =>
    matches(each.spec.selector.matchLabels, labels),
  )
  const scaled = ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').filter(
    (each) => each.spec.scaleTargetRef.name === deployment.metadata.name,
  )
  const fewest = spec.replicas ?? scaled[0]?.spec.minReplicas ?? scaled[0]?.spec.minReplicaCount
  const [container] = pod.containers
  const says: [boolean, string][] = [
    [matches(spec.selector.matchLabels, labels), 'does not select its own pods'],
    [budgets.length === 1, 'has no disruption budget of its own'],
    [budgets.every(({ spec }) => spec.maxUnavailable === 1), 'has a budget that may hold up a drain for ever'],
    [(spec.replicas === undefined) === (scaled.length === 1), 'has a number of pods that two decide, or nobody'],
    [fewest >= 2, `can be left with ${fewest} pods`],
    [spec.strategy.rollingUpdate.maxUnavailable === 0, 'has fewer pods while it is updated'],
    [Boolean(container.readinessProbe && container.livenessProbe && container.startupProbe), 'lacks a probe'],
    [/^\/(readyz|healthz)$/.test(container.readinessProbe?.httpGet?.path), 'is ready for no reason'],
    [container.livenessProbe?.httpGet?.path === '/healthz', 'is killed when its database is away'],
    [
      container.startupProbe?.periodSeconds * container.startupProbe?.failureThreshold >= 120,
      'has no time to bring its database up to date',
    ],
    [
      pod.terminationGracePeriodSeconds >= drainSecondsOf(manifests, container) + 25,
      'is killed before it has finished what is under way',
    ],
    [drainSecondsOf(manifests, container) > KEEP_ALIVE_MS / 1_000, 'leaves while callers keep connections to it'],
    [pod.topologySpreadConstraints?.length === 2, 'may be on one node altogether'],
    [pod.serviceAccountName === deployment.metadata.name, "runs as somebody else's service account"],
  ]
  return says.filter(([right]) => !right).map(([, fault]) => `${named(deployment)} ${fault}`)
}

/** What holds for every pod, also for those that end by themselves. */
function podFaults({ owner, spec }: Pods): string[] {
  const says: [boolean, string][] = [
    [spec.automountServiceAccountToken === false, 'carries a token of the API'],
    [spec.securityContext?.runAsNonRoot === true && spec.securityContext.runAsUser > 0, 'may run as root'],
    [spec.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
  ]
  for (const container of spec.containers) {
    const { requests = {}, limits = {} } = container.resources ?? {}
    const { securityContext = {} } = container
    says.push(
      [securityContext.readOnlyRootFilesystem === true, 'may write its root file system'],
      [securityContext.allowPrivilegeEscalation === false, 'may become somebody else'],
      [securityContext.capabilities?.drop?.[0] === 'ALL', 'keeps capabilities'],
      [cores(requests.cpu) >= 0.01 && cores(requests.cpu) <= cores(limits.cpu), 'has senseless amounts of CPU'],
      [
        bytes(requests.memory) >= 2 ** 26 && bytes(requests.memory) <= bytes(limits.memory),
        'has senseless amounts of memory',
      ],
      [!/:latest$/.test(container.image) && container.image.includes(':'), 'runs an image that anybody may replace'],
    )
  }
  return says.filter(([right]) => !right).map(([, fault]) => `${named(owner)} ${fault}`)
}

/** A selector that matches nothing is a typing error, and one that matches too much a worse one. */
function selectorFaults(manifests: Manifest[]): string[] {
  const pods = podsOf(manifests)
  const podSelectors = manifests.flatMap((manifest) =>
    podSelectorsOf(manifest).map((selector) => ({ manifest, selector })),
  )
  const monitors = ofKind(manifests, 'ServiceMonitor')
  const services = ofKind(manifests, 'Service')
  return [
    ...podSelectors
      .filter(({ selector }) => !pods.some(({ labels }) => matches(selector, labels)))
      .map(({ manifest, selector }) => `${named(manifest)} selects nothing by ${JSON.stringify(selector)}`),
    ...ofKind(manifests, 'Deployment', 'Service', 'PodDisruptionBudget').flatMap((manifest) => {
      const selector = manifest.spec.selector.matchLabels ?? manifest.spec.selector
      const owners = new Set(pods.filter(({ labels }) => matches(selector, labels)).map(({ owner }) => named(owner)))
      return owners.size > 1 ? [`${named(manifest)} selects ${[...owners].join(', ')}`] : []
    }),
    ...monitors
      .filter(
        ({ spec }) =>
          !services.some(
            (service) =>
              matches(spec.selector.matchLabels, service.metadata.labels!) &&
              service.spec.ports.some(({ name }: { name: string }) => name === spec.endpoints[0].port),
          ),
      )
      .map((monitor) => `${named(monitor)} selects nothing`),
  ]
}

function podSelectorsOf({ kind, spec }: Manifest): Labels[] {
  if (kind === 'Service') return [spec.selector]
  if (kind === 'Deployment')
    return [
      spec.selector.matchLabels,
      ...spec.template.spec.topologySpreadConstraints.map((each: any) => each.labelSelector.matchLabels),
    ]
  if (kind === 'PodDisruptionBudget') return [spec.selector.matchLabels]
  if (kind !== 'NetworkPolicy') return []
  const peers = [
    ...(spec.ingress ?? []).flatMap((rule: any) => rule.from ?? []),
    ...(spec.egress ?? []).flatMap((rule: any) => rule.to ?? []),
  ]
  return [spec.podSelector, ...peers.map(({ podSelector }) => podSelector)].flatMap((selector) =>
    selector ? [selector.matchLabels] : [],
  )
}

function scalingFaults(manifests: Manifest[]): string[] {
  const deployments = ofKind(manifests, 'Deployment').map(({ metadata }) => metadata.name)
  return ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').flatMap((scaler) => {
    const { scaleTargetRef, minReplicas, maxReplicas, minReplicaCount, maxReplicaCount, fallback } = scaler.spec
    const [min, max] = [minReplicas ?? minReplicaCount, maxReplicas ?? maxReplicaCount]
    const says: [boolean, string][] = [
      [deployments.includes(scaleTargetRef.name), 'scales nothing'],
      [min >= 2 && min < max, `goes from ${min} to ${max}`],
      [!fallback || (fallback.replicas >= min && fallback.replicas <= max), 'falls back to a number out of its bounds'],
    ]
    return says.filter(([right]) => !right).map(([, fault]) => `${named(scaler)} ${fault}`)
  })
}
