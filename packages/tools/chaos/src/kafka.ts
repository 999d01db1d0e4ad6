import { setTimeout as sleep } from 'node:timers/promises'
import { connectCluster } from '@nifty/testkit/cluster'
import type { Campaign } from './campaign/campaign.ts'
import { lostEvents } from './campaign/messages.ts'
import { sell } from './campaign/sales.ts'
import { closeShop, openShop } from './campaign/shop.ts'

const PURCHASES = 90
const DOWN_MS = 120_000

/** Kafka is down for two minutes under load: orders wait, no event is lost, everything is delivered later. */
export const kafka: Campaign = async (log) => {
  const shop = await openShop({ log, works: 100, launcher: 'cluster/main.ts', env: { REPLICAS: '2' } })
  const cluster = connectCluster(shop.store.folder)

  const selling = sell(shop, shop.works.slice(0, PURCHASES), { everyMs: 2_000, atOnce: PURCHASES })
  while (selling.completed() < 10) await sleep(100)
  await cluster.signalServer('kafka', 'SIGKILL')
  const before = { begun: selling.begun(), completed: selling.completed() }
  log(`Kafka was cut off; ${before.completed} purchases were complete`)
  await sleep(DOWN_MS)
  const during = { begun: selling.begun(), completed: selling.completed() }
  const broker = await cluster.startServer.kafka()
  const backAt = performance.now()
  log(`Kafka is back; ${during.begun - before.begun} purchases were begun without it`)
  const waiting = during.begun - during.completed
  while (selling.completed() < during.begun && selling.open() > 0) await sleep(50)
  const drained = Math.round((performance.now() - backAt) / 1_000)
  const violations = await selling.violations()
  const { events, violations: lost } = await lostEvents(shop.store.folder)
  violations.push(...lost)

  await closeShop(shop, { violations, log, stopServers: broker.stop })
  return {
    metrics: {
      purchases: PURCHASES,
      completed: selling.completed(),
      'seconds without Kafka': DOWN_MS / 1_000,
      'begun without Kafka': during.begun - before.begun,
      'waiting when it came back': waiting,
      'seconds until they were complete': drained,
      'events compared': events,
      'events lost': lost.length,
    },
    violations,
  }
}
