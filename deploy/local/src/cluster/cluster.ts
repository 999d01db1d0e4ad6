import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { internalUrlVariable, type Program, perService, programs, serviceNames, urlVariable } from '@nifty/api/services'
import { serviceKeys } from '@nifty/service-kit/http/service-keys'
import { type DataDir, writeJson } from '@nifty/testkit/data-dir'
import type { Settings } from '../settings.ts'
import type { RunningStore, StoreOptions } from '../store/store.ts'
import { startBalancer } from './balancer.ts'
import { httpClient } from './http-client.ts'
import { type Replica, startReplica } from './replica.ts'

const workspaceRoot = join(import.meta.dirname, '../../../..')

const programOf = (name: Program, root: string) =>
  join(root, name === 'gateway' ? name : join('services', name), 'src/main.ts')

export type RunningCluster = RunningStore & {
  /** A rolling update to the programs of another copy of the workspace, or to other variables of some programs. */
  update: (change: ClusterUpdate) => Promise<void>
  /** Restarts the processes of these programs at once, without waiting for their requests. */
  restart: (programs: Program[]) => void
}

/** `variables` replace former ones of their program; without a `root` only these programs are replaced. */
export type ClusterUpdate = { root?: string; variables?: Partial<Record<Program, NodeJS.ProcessEnv>> }

export type ProcessOptions = {
  /** A stream for the log lines of a process. Absent: each process writes to a file of its own in `logs/`. */
  output?: (program: Program) => Writable
  /** Arguments of Node for a program. */
  nodeArguments?: (program: Program) => string[]
  /** The copy of the workspace that a process runs; undefined: this one. */
  rootOf?: (program: Program, count: number) => string | undefined
  /** Variables of one program. */
  envOf?: (program: Program) => NodeJS.ProcessEnv
}

/**
 * Runs the store as in production: each service and the gateway as `REPLICAS` processes behind a balancer. The data
 * directory has their status (`cluster.json`) and their output (`logs/`).
 */
export async function startCluster(
  options: StoreOptions & { dataDir: DataDir; settings: Settings },
  { output, nodeArguments = () => [], rootOf = () => undefined, envOf = () => ({}) }: ProcessOptions = {},
): Promise<RunningCluster> {
  const { dataDir, settings, log } = options
  await mkdir(dataDir.file('logs'), { recursive: true })
  const replicas: Record<Program, Replica[]> = {
    ...perService(() => []),
    gateway: [],
  }
  const portsOf = (name: Program, which: 'PORT' | 'INTERNAL_PORT') => () =>
    replicas[name].filter((replica) => replica.status().ready).map((replica) => replica.ports()[which])

  /** With certificates all processes serve HTTPS; the address of the store stays HTTP, as behind an ingress. */
  const scheme = options.env.TLS_CERT_FILE ? 'https' : 'http'
  const { host, port } = options
  const front = await startBalancer({
    host,
    port,
    targets: portsOf('gateway', 'PORT'),
    encrypts: scheme === 'https',
  })
  const urlOf = (balancer: { url: string }) => balancer.url.replace('http:', `${scheme}:`)
  const upstreams = await Promise.all(
    serviceNames.map(async (name) => {
      const entry = await startBalancer({ targets: portsOf(name, 'PORT') })
      const internal = await startBalancer({ targets: portsOf(name, 'INTERNAL_PORT') })
      return { name, entry, internal, url: urlOf(entry), internalUrl: urlOf(internal) }
    }),
  )

  const gatewayInternal = await startBalancer({ targets: portsOf('gateway', 'INTERNAL_PORT') })

  const env: NodeJS.ProcessEnv = {
    ...options.env,
    HOST: '127.0.0.1',
    POSTGRES_URL: options.postgresUrl,
    LOG_LEVEL: settings.logLevel,
  }
  for (const { name, url, internalUrl } of upstreams) {
    env[urlVariable(name)] = url
    env[internalUrlVariable(name)] = internalUrl
  }

  const variables: NonNullable<ClusterUpdate['variables']> = {}
  const allReplicas = () => programs.flatMap((name) => replicas[name])
  const onChange = createStatusFile(dataDir, () => allReplicas().map((replica) => replica.status()))
  function start(kind: Program, { count, root }: { count: number; root: string }) {
    const name = `${kind}-${count}`
    const readyPath = kind === 'gateway' ? '/healthz' : '/readyz'
    const own = kind === 'gateway' ? {} : serviceKeys(kind, options.internalSecret)
    const replica = startReplica({
      name,
      program: programOf(kind, root),
      nodeArguments: nodeArguments(kind),
      readyPath,
      log,
      onChange,
      scheme,
      env: { ...env, ...own, ...envOf(kind), ...variables[kind] },
      output: output?.(kind) ?? dataDir.file('logs', `${name}.log`),
    })
    replicas[kind].push(replica)
    return replica
  }
  for (const kind of programs)
    for (let count = 1; count <= settings.replicas; count++)
      start(kind, { count, root: rootOf(kind, count) ?? workspaceRoot })

  /** One process at a time: the new one is ready before the old one stops, so no request fails. */
  async function update({ root, variables: changed = {} }: ClusterUpdate) {
    for (const kind of programs) variables[kind] = { ...variables[kind], ...changed[kind] }
    for (const kind of programs.filter((each) => root || changed[each]))
      for (const [place, former] of [...replicas[kind]].entries()) {
        const successor = start(kind, { count: place + 1, root: root ?? workspaceRoot })
        const stopped = await successor.ready.then(
          () => former,
          () => successor,
        )
        await stopped.stop()
        replicas[kind] = replicas[kind].filter((replica) => replica !== stopped)
        onChange()
        if (stopped === successor) throw new Error(`update: the new ${kind} does not start, the old one keeps running`)
      }
  }

  async function stop() {
    // The gateway first, so that no request reaches a stopped service.
    await Promise.all(replicas.gateway.map((replica) => replica.stop()))
    await Promise.all(allReplicas().map((replica) => replica.stop()))
    const balancers = [front, gatewayInternal, ...upstreams.flatMap(({ entry, internal }) => [entry, internal])]
    await Promise.all(balancers.map((each) => each.stop()))
  }

  try {
    await Promise.all(allReplicas().map((replica) => replica.ready))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    clients: perService((name) => httpClient(upstreams.find((upstream) => upstream.name === name)!.url)),
    internalUrls: {
      ...Object.fromEntries(upstreams.map(({ name, internalUrl }) => [name, internalUrl])),
      gateway: urlOf(gatewayInternal),
    },
    // Each process starts its own.
    startBackground: () => {},
    update,
    restart: (names) => {
      for (const name of names) for (const replica of replicas[name]) replica.restart()
    },
    stop,
  }
}

/** Writes `cluster.json` on each change, one write at a time, so that the last write is the newest status. */
function createStatusFile(dataDir: DataDir, processes: () => object[]) {
  let writing = Promise.resolve()
  return () => {
    writing = writing.then(() => writeJson(dataDir.file('cluster.json'), { processes: processes() })).catch(() => {})
  }
}
