import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectCluster } from '@nifty/testkit/cluster'
import type { Campaign } from './campaign/campaign.ts'
import { databaseServerUrl } from './campaign/databases.ts'
import { lostEvents } from './campaign/messages.ts'
import { operate } from './campaign/operate.ts'
import { sell } from './campaign/sales.ts'
import { closeShop, openShop } from './campaign/shop.ts'

const PURCHASES = 60
const POOLER_DOWN_MS = 10_000
const root = join(import.meta.dirname, '../../../..')

/**
 * A cluster behind PgBouncer sells while a payments process is killed, PgBouncer is killed and away for ten seconds,
 * and every process is replaced.
 */
export const pooler: Campaign = async (log) => {
  const env = { REPLICAS: '2', DRAIN_SECONDS: '8', POOLER: '1' }
  const shop = await openShop({ log, works: PURCHASES + 10, launcher: 'cluster/main.ts', env })
  const { folder } = shop.store
  const cluster = connectCluster(folder)
  let successor: { stop: () => Promise<void> } | undefined
  const faults = [
    { name: 'payments-1 is killed', begin: () => cluster.kill('payments-1') },
    {
      name: 'PgBouncer is killed and away for 10 s',
      begin: async () => {
        await cluster.signalServer('pooler', 'SIGKILL')
        await sleep(POOLER_DOWN_MS)
        successor = await cluster.startServer.pooler(await databaseServerUrl(folder))
      },
    },
    {
      name: 'every process is replaced',
      begin: async () => {
        const { failed } = await shop.store.send({ root })
        if (failed) violations.push(String(failed))
      },
    },
  ]
  const violations: string[] = []
  let done = 0
  const selling = sell(shop, shop.works.slice(0, PURCHASES), {
    everyMs: 500,
    atOnce: 8,
    // Spread over all faults.
    mayBegin: (place) => place < ((done + 1) / (faults.length + 1)) * PURCHASES,
  })
  for (const [place, { name, begin }] of faults.entries()) {
    while (selling.begun() < ((place + 0.5) / (faults.length + 1)) * PURCHASES) await sleep(50)
    log(`${name}: ${selling.begun()} purchases begun, ${selling.open()} under way`)
    await begin()
    done++
  }
  violations.push(...(await selling.violations()))
  const { events, violations: lost } = await lostEvents(folder)
  violations.push(...lost)
  const reconciled = await operate(folder, ['reconcile']).catch((error: Error) => {
    violations.push(`reconcile: ${error.message}`)
    return 'failed'
  })
  await closeShop(shop, { violations, log, stopServers: async () => successor?.stop() })
  return {
    metrics: {
      purchases: PURCHASES,
      completed: selling.completed(),
      faults: faults.length,
      'events compared': events,
      reconcile: reconciled.split('\n').at(-1)!,
    },
    violations,
  }
}
