import { KEEP_ALIVE_MS } from '@nifty/service-kit/http/drain'
import { type Manifest, named, ofKind } from './chart.ts'
import { objectViolations } from './object-rules.ts'
import { bytes, cores } from './quantity.ts'

type Labels = Record<string, string>
type Pods = { owner: Manifest; labels: Labels; spec: any }

/** Pods, and the templates of Deployments, Jobs and CronJobs. */
export function podsOf(manifests: Manifest[]): Pods[] {
  return ofKind(manifests, 'Deployment', 'Job', 'CronJob', 'Pod').map((owner) => {
    const template = owner.kind === 'CronJob' ? owner.spec.jobTemplate.spec.template : (owner.spec.template ?? owner)
    return { owner, labels: template.metadata.labels, spec: template.spec }
  })
}

export const matches = (selector: Labels, labels: Labels) =>
  Object.entries(selector).every(([name, value]) => labels[name] === value)

/** Rules beyond the schemas; one sentence per violation. */
export const violations = (manifests: Manifest[]): string[] => [
  ...nameViolations(manifests),
  ...objectViolations(manifests),
  ...ofKind(manifests, 'Deployment').flatMap((deployment) => deploymentViolations(manifests, deployment)),
  ...podsOf(manifests).flatMap(podViolations),
  ...selectorViolations(manifests),
  ...scalingViolations(manifests),
]

/** Drain period of a pod. */
function drainSecondsOf(manifests: Manifest[], container: Manifest): number {
  const [{ configMapRef }] = container.envFrom
  const config = ofKind(manifests, 'ConfigMap').find(({ metadata }) => metadata.name === configMapRef.name)
  return Number(config?.data.DRAIN_SECONDS)
}

function nameViolations(manifests: Manifest[]) {
  const names = manifests.map(named)
  return [
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is defined twice`),
    ...manifests
      .filter(({ metadata }) => !/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(metadata.name))
      .map((manifest) => `${named(manifest)} has an invalid name`),
    ...manifests
      .filter(({ metadata }) => metadata.namespace !== 'shop')
      .map((each) => `${named(each)} is in another namespace`),
  ]
}

function deploymentViolations(manifests: Manifest[], deployment: Manifest): string[] {
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
  const checks: [boolean, string][] = [
    [matches(spec.selector.matchLabels, labels), 'does not select its own pods'],
    [budgets.length === 1, 'has no disruption budget of its own'],
    [budgets.every(({ spec }) => spec.maxUnavailable === 1), 'has a disruption budget that may block a drain'],
    [(spec.replicas === undefined) === (scaled.length === 1), 'has both replicas and an autoscaler, or neither'],
    [fewest >= 2, `may run only ${fewest} pods`],
    [spec.strategy.rollingUpdate.maxUnavailable === 0, 'has fewer pods during a rolling update'],
    [Boolean(container.readinessProbe && container.livenessProbe && container.startupProbe), 'lacks a probe'],
    [/^\/(readyz|healthz)$/.test(container.readinessProbe?.httpGet?.path), 'has a readiness probe on another path'],
    [container.livenessProbe?.httpGet?.path === '/healthz', 'has a liveness probe that needs the database'],
    [
      container.startupProbe?.periodSeconds * container.startupProbe?.failureThreshold >= 120,
      'has a startup probe that is too short for migrations',
    ],
    [
      pod.terminationGracePeriodSeconds >= drainSecondsOf(manifests, container) + 25,
      'has a termination grace period below the drain period',
    ],
    [drainSecondsOf(manifests, container) > KEEP_ALIVE_MS / 1_000, 'has a drain period below the keep-alive timeout'],
    [pod.topologySpreadConstraints?.length === 2, 'may run on a single node'],
    [
      pod.topologySpreadConstraints?.every(({ nodeTaintsPolicy }: any) => nodeTaintsPolicy === 'Honor'),
      'counts the nodes of a lost zone',
    ],
    [pod.serviceAccountName === deployment.metadata.name, "uses another component's service account"],
  ]
  return checks.filter(([right]) => !right).map(([, violation]) => `${named(deployment)} ${violation}`)
}

/** Rules for every pod, Jobs included. */
function podViolations({ owner, spec }: Pods): string[] {
  const checks: [boolean, string][] = [
    [spec.automountServiceAccountToken === false, 'mounts an API token'],
    [spec.securityContext?.runAsNonRoot === true && spec.securityContext.runAsUser > 0, 'may run as root'],
    [spec.securityContext?.seccompProfile?.type === 'RuntimeDefault', 'has no seccomp profile'],
  ]
  for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
    const { requests = {}, limits = {} } = container.resources ?? {}
    const { securityContext = {} } = container
    checks.push(
      [securityContext.readOnlyRootFilesystem === true, 'has a writable root file system'],
      [securityContext.allowPrivilegeEscalation === false, 'allows privilege escalation'],
      [securityContext.capabilities?.drop?.[0] === 'ALL', 'keeps capabilities'],
      [
        cores(requests.cpu) >= 0.01 && (limits.cpu === undefined || cores(requests.cpu) <= cores(limits.cpu)),
        'has invalid CPU requests or limits',
      ],
      [
        bytes(requests.memory) >= 2 ** 26 && bytes(requests.memory) <= bytes(limits.memory),
        'has invalid memory requests or limits',
      ],
      [!/:latest$/.test(container.image) && container.image.includes(':'), 'uses an image without a fixed tag'],
    )
  }
  return checks.filter(([right]) => !right).map(([, violation]) => `${named(owner)} ${violation}`)
}

/** Every selector must match pods, and those of Deployments, Services and disruption budgets only their own. */
function selectorViolations(manifests: Manifest[]): string[] {
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

function scalingViolations(manifests: Manifest[]): string[] {
  const deployments = ofKind(manifests, 'Deployment').map(({ metadata }) => metadata.name)
  return ofKind(manifests, 'HorizontalPodAutoscaler', 'ScaledObject').flatMap((scaler) => {
    const { scaleTargetRef, minReplicas, maxReplicas, minReplicaCount, maxReplicaCount, fallback } = scaler.spec
    const [min, max] = [minReplicas ?? minReplicaCount, maxReplicas ?? maxReplicaCount]
    const checks: [boolean, string][] = [
      [deployments.includes(scaleTargetRef.name), 'scales nothing'],
      [min >= 2 && min < max, `has minimum ${min} and maximum ${max}`],
      [!fallback || (fallback.replicas >= min && fallback.replicas <= max), 'has fallback replicas outside its bounds'],
    ]
    return checks.filter(([right]) => !right).map(([, violation]) => `${named(scaler)} ${violation}`)
  })
}
