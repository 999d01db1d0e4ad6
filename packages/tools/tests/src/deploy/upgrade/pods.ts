import { type Program, programs, type ServiceName } from '@nifty/api/services'
import { freePort } from '@nifty/dev-servers/free-port'
import { passConnections } from '@nifty/dev-servers/pass-connections'
import type { openContainers, RunningContainer, Variables } from '../images/container.ts'
import type { Release } from './release.ts'

type Ports = { public: number; internal: number }
export type Pod = { name: string; container: RunningContainer; ports: Ports }

/** A port on which nothing listens. */
const REFUSES = 1

type Options = {
  containers: ReturnType<typeof openContainers>
  /** Where each component is reached, whatever pods it has. */
  ports: Record<Program, Ports>
  variablesOf: (component: Program, release: Release) => Variables
  onStop: (stop: () => Promise<void>) => void
}

/** What the migration Job and the init container of the chart have. */
const migrationVariables = /^(STORE_ID|RESOURCE_PREFIX|POSTGRES_URL)$/

/**
 * The pods of a store, as the chart runs them: ready ones get connections in turn, as from a Kubernetes Service, and a
 * service's database is migrated before each start.
 */
export async function openPods({ containers, ports, variablesOf, onStop }: Options) {
  const ready: Record<string, Pod[]> = Object.fromEntries(programs.map((component) => [component, []]))
  for (const component of programs)
    for (const kind of ['public', 'internal'] as const) {
      let turn = 0
      const next = async () => {
        const pods = ready[component]!
        return pods.length === 0 ? REFUSES : pods[turn++ % pods.length]!.ports[kind]
      }
      onStop((await passConnections(ports[component][kind], next)).stop)
    }

  let count = 0
  async function createContainer(component: Program, release: Release) {
    const name = `${component}-${release.commit}-${count++}`
    await containers.create(name, release.tagOf(component), component)
    return name
  }

  async function migrate(container: string, variables: Variables) {
    const own = Object.fromEntries(Object.entries(variables).filter(([name]) => migrationVariables.test(name)))
    const { code, output } = await containers.run(
      container,
      { LOG_LEVEL: 'info', ...own, POSTGRES_OWNER_URL: variables.POSTGRES_URL! },
      { command: ['node', 'service/src/main.ts', 'migrate'] },
    )
    if (code !== 0) throw new Error(`${container}: the migration ended with ${code}:\n${output}`)
  }

  return {
    of: (component: Program): readonly Pod[] => ready[component]!,
    /** Migrates the database of a service, as the Job before an upgrade does. */
    migrate: async (service: ServiceName, release: Release) =>
      migrate(await createContainer(service, release), variablesOf(service, release)),
    /** Starts a pod, which gets connections beside those that run once it is ready. */
    start: async (component: Program, release: Release) => {
      const name = await createContainer(component, release)
      const variables = variablesOf(component, release)
      if (component !== 'gateway') await migrate(name, variables)
      const own = { public: await freePort(), internal: await freePort() }
      const container = containers.start(name, {
        ...variables,
        HOST: '127.0.0.1',
        PORT: String(own.public),
        INTERNAL_PORT: String(own.internal),
      })
      await container.ready(`http://127.0.0.1:${own.public}${component === 'gateway' ? '/healthz' : '/readyz'}`)
      const pod = { name, container, ports: own }
      ready[component]!.push(pod)
      return pod
    },
    /** Ends a pod by SIGTERM, after which it gets no new connections. Returns its exit code. */
    stop: async (component: Program, pod: Pod) => {
      ready[component] = ready[component]!.filter((each) => each !== pod)
      return pod.container.terminate()
    },
  }
}
