import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '@nifty/dev-servers/postgres'
import { startStore } from '@nifty/testkit/store'
import { addWorks } from '../cluster/works.ts'
import type { Run } from '../part.ts'
import type { Figure } from '../results/target.ts'
import { clusterReads, oneProcessReads } from '../targets.ts'
import { measureHotReads } from './hot-reads.ts'

const REAL = 24
const WORKS = 260

/** Hot responses of a cluster: CPU of the gateway's process and catalog's. */
export async function benchMarket({ form, cluster }: Run): Promise<Figure[]> {
  const { run, pids, untilQuiet } = await cluster()
  await untilQuiet()
  return measureHotReads({ run, answering: [pids.gateway, pids.catalog] }, { targets: clusterReads, form })
}

/** The same responses of a store in one process, with its settings of memory. */
export async function benchMarketOfOneProcess({ form }: Run): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'nifty-bench-'))
  await chmod(folder, 0o755)
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: true })
  const env = {
    ...{ POSTGRES_URL: postgres.url, RATE_LIMIT_FACTOR: '100000', LOG_LEVEL: 'warn' },
    ...{ MALLOC_ARENA_MAX: '1', NODE_OPTIONS: '--max-semi-space-size=8' },
  }
  try {
    const store = await startStore({ works: REAL, env })
    try {
      await addWorks({ run: store.run, postgresUrl: postgres.url }, WORKS - REAL)
      return await measureHotReads({ run: store.run, answering: [store.pid()] }, { targets: oneProcessReads, form })
    } finally {
      await store.remove()
    }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
