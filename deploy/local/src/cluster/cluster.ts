import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Home, writeJson } from '../data-dir.ts'
import type { Settings } from '../settings.ts'
import type { RunningStore, StoreOptions } from '../store/store.ts'
import { startBalancer } from './balancer.ts'
import { doorAt } from './http-client.ts'
import { type Replica, startReplica } from './replica.ts'

const here = join(import.meta.dirname, '../../../..')
const services = ['auth', 'minting', 'catalog', 'payments', 'notification'] as const
const all = [...services, 'gateway'] as const
type Name = (typeof all)[number]

const programOf = (name: Name, root: string) =>
  join(root, name === 'gateway' ? name : join('services', name), 'src/main.ts')

/** `update` puts the programs of another copy of the workspace in place of the present ones. */
export type RunningCluster = RunningStore & { update: (root: string) => Promise<void> }

/**
 * The store as in production: every service and the gateway as processes of their own, several of each if wanted, and
 * one address in front of each kind. Which processes there are stands in `cluster.json`, what they say in `logs`.
 */
export async function startCluster(
  options: StoreOptions & { home: Home; settings: Settings },
): Promise<RunningCluster> {
  const { home, settings, log } = options
  await mkdir(home.file('logs'), { recursive: true })
  const replicas: Record<Name, Replica[]> = {
    ...{ auth: [], minting: [], catalog: [], payments: [], notification: [], gateway: [] },
  }
  const portsOf = (name: Name, which: 'PORT' | 'INTERNAL_PORT') => () =>
    replicas[name].filter((replica) => replica.sight().ready).map((replica) => replica.ports()[which])

  const front = await startBalancer({ host: options.host, port: options.port, targets: portsOf('gateway', 'PORT') })
  const doors = await Promise.all(
    services.map(async (name) => ({
      name,
      open: await startBalancer({ targets: portsOf(name, 'PORT') }),
      internal: await startBalancer({ targets: portsOf(name, 'INTERNAL_PORT') }),
    })),
  )

  const gatewayInternal = await startBalancer({ targets: portsOf('gateway', 'INTERNAL_PORT') })

  const env: NodeJS.ProcessEnv = {
    ...options.env,
    HOST: '127.0.0.1',
    POSTGRES_URL: options.postgresUrl,
    INTERNAL_SECRET: options.internalSecret,
    LOG_LEVEL: settings.logLevel,
  }
  for (const { name, open, internal } of doors) {
    env[`${name.toUpperCase()}_URL`] = open.url
    env[`${name.toUpperCase()}_INTERNAL_URL`] = internal.url
  }

  const everyone = () => all.flatMap((name) => replicas[name])
  const onChange = createRoster(home, () => everyone().map((replica) => replica.sight()))
  function start(kind: Name, { count, root }: { count: number; root: string }) {
    const name = `${kind}-${count}`
    const readyPath = kind === 'gateway' ? '/healthz' : '/readyz'
    const logFile = home.file('logs', `${name}.log`)
    const replica = startReplica({ name, program: programOf(kind, root), env, logFile, readyPath, log, onChange })
    replicas[kind].push(replica)
    return replica
  }
  for (const kind of all) for (let count = 1; count <= settings.replicas; count++) start(kind, { count, root: here })

  /** One after the other, and a new one is ready before an old one leaves: nobody asks in vain. */
  async function update(root: string) {
    for (const kind of all)
      for (const [place, former] of [...replicas[kind]].entries()) {
        const successor = start(kind, { count: place + 1, root })
        const leaving = await successor.ready.then(
          () => former,
          () => successor,
        )
        await leaving.stop()
        replicas[kind] = replicas[kind].filter((replica) => replica !== leaving)
        onChange()
        if (leaving === successor) throw new Error(`the new ${kind} does not start; the former one is still there`)
      }
  }

  async function stop() {
    // The door first, so that nobody is sent to a service that is gone.
    await Promise.all(replicas.gateway.map((replica) => replica.stop()))
    await Promise.all(everyone().map((replica) => replica.stop()))
    const balancers = [front, gatewayInternal, ...doors.flatMap(({ open, internal }) => [open, internal])]
    await Promise.all(balancers.map((each) => each.stop()))
  }

  try {
    await Promise.all(everyone().map((replica) => replica.ready))
  } catch (error) {
    await stop()
    throw error
  }
  const urlOf = (name: Name) => doors.find((door) => door.name === name)!.open.url
  return {
    apps: { auth: doorAt(urlOf('auth')), minting: doorAt(urlOf('minting')), catalog: doorAt(urlOf('catalog')) },
    internalUrls: {
      ...Object.fromEntries(doors.map(({ name, internal }) => [name, internal.url])),
      gateway: gatewayInternal.url,
    },
    update,
    stop,
  }
}

/** Keeps the list of processes in the home folder; one write at a time, and the last one is the newest. */
function createRoster(home: Home, processes: () => object[]) {
  let writing = Promise.resolve()
  return () => {
    writing = writing.then(() => writeJson(home.file('cluster.json'), { processes: processes() })).catch(() => {})
  }
}
