import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { programs } from '@nifty/api/services'
import type { connectCluster, Process } from '@nifty/testkit/cluster'
import { waitUntil } from '@nifty/testkit/wait-until'
import { databaseServerUrl } from '../campaign/databases.ts'
import { operate } from '../campaign/operate.ts'
import type { Shop } from '../campaign/shop.ts'
import { deleteTopic } from '../campaign/topics.ts'
import { redisFaults } from '../redis/faults.ts'
import { crashPostgres, hangPostgres, switchPostgresOver } from './postgres.ts'

const TIMEOUTS = { timeoutMs: 120_000, intervalMs: 100 }

type World = {
  shop: Shop
  cluster: ReturnType<typeof connectCluster>
  /** The caller stops what a row has started, in the end. */
  started: { stop: () => Promise<void> }[]
}

/** A fault from its beginning to its end; then every server and process runs again. */
type Row = (world: World) => Promise<void>

/** In the order of the table. */
export const rows: Record<string, Row> = {
  kill: async ({ cluster }) => {
    for (const name of ['payments-1', 'minting-2', 'gateway-1', 'catalog-1']) await cluster.kill(name)
  },
  terminate: async ({ cluster }) => {
    for (const place of [1, 2]) for (const program of programs) await replace(cluster, `${program}-${place}`)
  },
  redis: async ({ shop, started }) => {
    const { faults, close } = await redisFaults(shop.store.folder)
    started.push({ stop: close })
    for (const name of ['paused', 'stopped']) {
      const stop = await faults.find((fault) => fault.name === name)!.begin()
      await sleep(15_000)
      await stop()
    }
  },
  kafka: async ({ cluster, started }) => {
    await cluster.signalServer('kafka', 'SIGKILL')
    await sleep(60_000)
    started.push(await cluster.startServer.kafka())
  },
  'postgres-hangs': ({ shop }) => hangPostgres(shop.store.folder, 12_000),
  'postgres-crashes': ({ shop }) => crashPostgres(shop.store.folder),
  'switch-over': ({ shop }) => switchPostgresOver(shop.store.folder, 10_000),
  pooler: async ({ shop, cluster, started }) => {
    await cluster.signalServer('pooler', 'SIGKILL')
    await sleep(10_000)
    started.push(await cluster.startServer.pooler(await databaseServerUrl(shop.store.folder)))
  },
  'object-storage': async ({ cluster, started }) => {
    await cluster.signalServer('object-storage', 'SIGSTOP')
    await sleep(10_000)
    await cluster.signalServer('object-storage', 'SIGKILL')
    await sleep(10_000)
    started.push(await cluster.startServer.objectStorage())
  },
  'chain-hangs': async ({ shop }) => {
    const { chain } = JSON.parse(await readFile(join(shop.store.folder, 'processes.json'), 'utf8'))
    process.kill(chain, 'SIGSTOP')
    await sleep(60_000)
    process.kill(chain, 'SIGCONT')
  },
  'topic-deleted': ({ cluster }) => deleteTopic(cluster, 'payments'),
  republished: async ({ shop }) => {
    const since = new Date(Date.now() - 3_600_000).toISOString()
    await operate(shop.store.folder, ['republish', 'all', '--since', since, '--yes', '--reason', 'fault table'])
  },
}

/** Ends a process by SIGTERM, and waits until its successor is ready. */
async function replace({ processes }: World['cluster'], name: string) {
  const find = async () => (await processes()).find((each: Process) => each.name === name)!
  const { pid, starts } = await find()
  process.kill(pid!, 'SIGTERM')
  await waitUntil(async () => {
    const now = await find()
    return now.starts > starts && now.ready
  }, TIMEOUTS)
}
