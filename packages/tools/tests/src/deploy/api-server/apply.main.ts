import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { stringify } from 'yaml'
import { chart, contracts, type Manifest, merged, ofKind, render, required, type Size, sizes } from '../chart.ts'
import { operatorKinds } from '../operator-kinds.ts'
import { podsOf } from '../rules.ts'
import { findTools } from '../tools.ts'
import { apiServerBinaries, KUBERNETES } from './binaries.ts'
import { clientOf } from './client.ts'
import { startApiServer } from './server.ts'

/**
 * `pnpm chart:apply [folder of a former chart]`: applies the chart to a real API server of this machine. It has no
 * controllers and nodes: this shows what the server accepts, not how it behaves. First every variant by server-side
 * apply, dry and real, then a release by Helm: the former chart installed, upgraded to this one, tested, rolled back.
 * Custom resources have definitions without a schema. Exits with 1 and the reasons where something is refused or warned
 * of, or where Deployments are not as before after the roll-back.
 */
const own = {
  commonAnnotations: { 'reloader.example/auto': 'true' },
  pod: {
    nodeSelector: { pool: 'shop' },
    tolerations: [{ key: 'shop', operator: 'Exists' }],
    priorityClassName: 'system-cluster-critical',
    volumes: [{ name: 'more', emptyDir: {} }],
    container: {
      env: [{ name: 'HTTPS_PROXY', value: 'http://proxy.example' }],
      volumeMounts: [{ name: 'more', mountPath: '/more' }],
    },
    securityContext: { runAsUser: null, runAsGroup: null, fsGroup: null },
  },
  privateAuthority: { configMapName: 'authority' },
  hosts: ['www.gallery.example'],
  httpRoute: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways' }] },
  publicService: { type: 'LoadBalancer', spec: { externalTrafficPolicy: 'Local' } },
  kafka: { strimzi: { enabled: true } },
  postgres: {
    cloudNativePg: {
      enabled: true,
      backup: { objectStore: { destinationPath: 's3://backups/nifty' }, volumeSnapshot: { className: 'csi' } },
    },
  },
}
const variants: { size: Size; title: string; values: object }[] = [
  ...sizes.map((size) => ({ size, title: size, values: contracts })),
  { size: 'medium', title: 'medium with values of its own', values: { ...contracts, ...own } },
  { size: 'large', title: 'large with values of its own', values: { ...contracts, ...own } },
]
const NAMESPACE = 'shop'
const [former = chart] = process.argv.slice(2)

const tools = await findTools()
if (!tools) throw new Error('Go and Python are needed')
const server = await startApiServer(await apiServerBinaries())
const folder = await mkdtemp(join(tmpdir(), 'nifty-chart-'))
try {
  const client = clientOf(server)
  await client.until('/readyz', ({ status }) => status === 200)
  print(`kube-apiserver ${KUBERNETES} is ready`)
  await prepare()
  for (const variant of variants) await applyVariant(variant)
  await refuseMistakes()
  await release()

  /** A namespace that admits restricted pods alone, and definitions of custom resources. */
  async function prepare() {
    const enforce = { 'pod-security.kubernetes.io/enforce': 'restricted' }
    await accepted([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE, labels: enforce } }])
    const definitions = Object.keys(operatorKinds).map((each) => {
      const [, group, version, kind] = /^([^/]+)\/(\S+) (\S+)$/.exec(each)!
      const plural = `${kind!.toLowerCase().replace(/y$/, 'ie')}s`
      const anything = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
      return {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: {
          name: `${plural}.${group}`,
          annotations: { 'api-approved.kubernetes.io': 'https://github.com/kubernetes/enhancements/pull/1111' },
        },
        spec: {
          group,
          names: { kind, plural },
          scope: 'Namespaced',
          versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema: anything } }],
        },
      }
    })
    await accepted(definitions)
    for (const { spec } of definitions)
      await client.until(`/apis/${spec.group}/${spec.versions[0]!.name}`, ({ body }) =>
        body.resources?.some(({ kind }: Manifest) => kind === spec.names.kind),
      )
  }

  async function applyVariant({ size, title, values }: (typeof variants)[number]) {
    const manifests = await render(tools!, { size, values })
    // As Helm does: hooks use what the release has made.
    const isHook = ({ metadata }: Manifest) => Boolean(metadata.annotations?.['helm.sh/hook'])
    for (const part of [manifests.filter((each) => !isHook(each)), manifests.filter(isHook)]) {
      await accepted(part, { dryRun: true })
      await accepted(part)
    }
    const next = await render(tools!, { size, values: { ...values, image: { tag: '2.0.0' } } })
    await accepted(next.filter((each) => !isHook(each)))
    // No controller makes pods here.
    const pods = podsOf(manifests).map(({ owner, labels, spec }) => ({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: `${owner.metadata.name}-try`, namespace: NAMESPACE, labels },
      spec,
    }))
    await accepted(pods, { dryRun: true })
    print(`${title}: ${manifests.length} objects and ${pods.length} pods accepted, also with another tag`)
    // A volume claim, for one, cannot shrink from variant to variant.
    for (const manifest of manifests) await client.remove(manifest)
  }

  /** The server's own checks are at work. */
  async function refuseMistakes() {
    const manifests = await render(tools!, { size: 'small', values: contracts })
    const [deployment] = structuredClone(ofKind(manifests, 'Deployment')) as [Manifest]
    const changes: [string, (spec: any) => void][] = [
      ['a misspelt field', (spec) => (spec.template.spec.nodeSelectors = {})],
      ['a selector that does not match', (spec) => (spec.selector.matchLabels.other = 'x')],
      [
        'a volume that is not there',
        (spec) => spec.template.spec.containers[0].volumeMounts.push({ name: 'no', mountPath: '/no' }),
      ],
    ]
    for (const [what, change] of changes) {
      const wrong = structuredClone(deployment)
      change(wrong.spec)
      const refusals = await client.apply(wrong, { dryRun: true })
      if (refusals.length === 0) throw new Error(`accepted: ${what}`)
    }
    print(`refused: ${changes.map(([what]) => what).join(', ')}`)
  }

  async function release() {
    const first = await values('first', { ...contracts })
    const second = await values('second', {
      ...contracts,
      image: { tag: '2.0.0' },
      pod: { nodeSelector: { pool: 'shop' } },
    })
    await helm('install', 'nifty', former, '--values', join(former, 'values-small.yaml'), '--values', first)
    const before = await live()
    const hooks = finishHooks()
    await helm('upgrade', 'nifty', chart, '--values', join(chart, 'values-small.yaml'), '--values', second)
    const changed = await live()
    await helm('test', 'nifty')
    hooks.stop()
    await helm('rollback', 'nifty', '1')
    const after = await live()
    const images = (objects: Manifest[]) =>
      objects.map(({ spec }) => spec.template.spec.containers[0].image.split(':')[1])
    if (new Set(images(changed)).size !== 1 || images(changed)[0] !== '2.0.0')
      throw new Error('the upgrade did not change the images')
    if (JSON.stringify(before.map(({ spec }) => spec)) !== JSON.stringify(after.map(({ spec }) => spec)))
      throw new Error('after the roll-back Deployments are not as before')
    print(
      `Helm: installed, upgraded (${hooks.finished.join(', ')}), tested and rolled back; ${after.length} Deployments are as before`,
    )
  }

  async function live(): Promise<Manifest[]> {
    return (await client.send('GET', `/apis/apps/v1/namespaces/${NAMESPACE}/deployments`)).body.items
  }

  async function values(name: string, own: object) {
    const file = join(folder, `${name}.yaml`)
    await writeFile(file, stringify(merged(required, own)))
    return file
  }

  async function helm(...args: string[]) {
    const env = { ...process.env, KUBECONFIG: server.kubeconfig, HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder }
    const { stderr } = await promisify(execFile)(tools!.helm, [...args, '--namespace', NAMESPACE], { env })
    if (/^W|warning/im.test(stderr)) throw new Error(stderr)
  }

  /** Writes the status that a controller and a kubelet would write: Jobs and the pod of hooks succeed. */
  function finishHooks() {
    const finished: string[] = []
    let isWanted = true
    const now = () => new Date().toISOString().replace(/\.\d+/, '')
    const statusOf = {
      jobs: () => ({
        startTime: now(),
        completionTime: now(),
        succeeded: 1,
        conditions: ['SuccessCriteriaMet', 'Complete'].map((type) => ({ type, status: 'True' })),
      }),
      pods: () => ({ phase: 'Succeeded' }),
    }
    void (async () => {
      while (isWanted) {
        for (const [kind, group] of [
          ['jobs', '/apis/batch/v1'],
          ['pods', '/api/v1'],
        ] as const) {
          const path = `${group}/namespaces/${NAMESPACE}/${kind}`
          for (const { metadata, status } of (await client.send('GET', path)).body.items as Manifest[]) {
            if (status?.succeeded || status?.phase === 'Succeeded') continue
            const answer = await client.send(
              'PATCH',
              `${path}/${metadata.name}/status`,
              { status: statusOf[kind]() },
              'application/merge-patch+json',
            )
            if (answer.status < 300) finished.push(metadata.name)
            else print(answer.body.message)
          }
        }
        await sleep(200)
      }
    })()
    return {
      finished,
      stop: () => {
        isWanted = false
      },
    }
  }

  async function accepted(manifests: Manifest[], { dryRun = false } = {}) {
    const refusals: string[] = []
    for (const manifest of manifests) refusals.push(...(await client.apply(manifest, { dryRun })))
    if (refusals.length > 0) throw new Error(refusals.join('\n'))
  }
} finally {
  await server.stop()
  await rm(folder, { recursive: true })
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
