import { join } from 'node:path'
import { type Program, programs } from '@nifty/api/services'
import { connectCluster } from '@nifty/testkit/cluster'
import { startStore } from '@nifty/testkit/store'
import { waitUntil } from '@nifty/testkit/wait-until'
import { temporaryFolder } from '../run/temporary-folder.ts'
import { query, startMeasuredPostgres } from './postgres.ts'
import { addWorks } from './works.ts'

/** Minted with their pictures, as in the demo; all others are rows of minting without an image. */
const DEMO_WORKS = 24
const WORKS = 260
const QUIET_MS = 5_000

export type Cluster = Awaited<ReturnType<typeof startBenchCluster>>

/**
 * A cluster of one process a service, on Kafka and Redis, with works for sale and nothing left to do. Several parts use
 * the same one after the other.
 */
export async function startBenchCluster(env: NodeJS.ProcessEnv = {}) {
  const { path: folder, remove: removeFolder } = await temporaryFolder()
  const postgres = await startMeasuredPostgres(join(folder, 'postgres'))
  const store = await startStore({
    works: DEMO_WORKS,
    launcher: 'cluster/main.ts',
    extension: join(import.meta.dirname, 'extension.ts'),
    env: { POSTGRES_URL: postgres.url, LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: '100000', ...env },
  }).catch(async (error) => {
    await postgres.stop()
    await removeFolder()
    throw error
  })
  const { processes } = connectCluster(store.folder)

  async function remove() {
    await store.remove()
    await postgres.stop()
    await removeFolder()
  }
  try {
    await addWorks({ run: store.run, postgresUrl: postgres.url }, WORKS - DEMO_WORKS)
    const started = await processes()
    const pids = pidsOf(started)
    const missing = programs.filter((program) => !pids[program])
    if (missing.length > 0) throw new Error(`not running: ${missing.join()}`)
    return {
      run: store.run,
      /** The data directory of the launcher. */
      folder: store.folder,
      postgres,
      pids,
      /** Of the gateway's process, without the balancer in front, whose own event loop would be measured with it. */
      gatewayUrl: started.find(({ name }) => name === 'gateway-1')!.url!,
      rpcCalls: async () => Number((await store.send({})).rpcCalls),
      /** Waits until no service has published or consumed an event for some seconds. */
      untilQuiet: () => untilQuiet(postgres.url),
      /** Throws when a process has ended or was started again: it would seem to use nothing. */
      requireRunning: async () => {
        const now = pidsOf(await processes())
        const ended = programs.filter((program) => now[program] !== pids[program])
        if (ended.length > 0) throw new Error(`ended during the measurement: ${ended.join()}`)
      },
      remove,
    }
  } catch (error) {
    await remove()
    throw error
  }
}

function pidsOf(processes: { name: string; pid?: number }[]): Record<Program, number> {
  const pidOf = (program: Program) => processes.find(({ name }) => name === `${program}-1`)?.pid
  return Object.fromEntries(programs.map((program) => [program, pidOf(program)])) as Record<Program, number>
}

async function untilQuiet(postgresUrl: string) {
  const services = programs.filter((program) => program !== 'gateway')
  const countEvents = async () => {
    const counts = await Promise.all(
      services.map((database) =>
        query<{ count: number }>(
          postgresUrl,
          'select ((select count(*) from outbox) + (select count(*) from inbox))::int as count',
          { database },
        ),
      ),
    )
    return counts.reduce((sum, [row]) => sum + row!.count, 0)
  }
  let last = -1
  await waitUntil(
    async () => {
      const now = await countEvents()
      const isQuiet = now === last
      last = now
      return isQuiet
    },
    { intervalMs: QUIET_MS, timeoutMs: 300_000 },
  )
}
