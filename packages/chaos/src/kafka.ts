import { setTimeout as sleep } from 'node:timers/promises'
import { openCluster } from '@nifty/testkit/cluster'
import type { Campaign } from './campaign.ts'
import { lostEvents } from './messages.ts'
import { sell } from './selling.ts'
import { leave, openShop } from './shop.ts'

const PURCHASES = 90
const AWAY_MS = 120_000

/** Kafka is cut off for two minutes while people buy: orders wait, nothing is lost, everything is delivered later. */
export const kafka: Campaign = async (say) => {
  const shop = await openShop({ say, works: 100, launcher: 'cluster/main.ts', env: { REPLICAS: '2' } })
  const cluster = openCluster(shop.store.folder)

  const selling = sell(shop, shop.works.slice(0, PURCHASES), { everyMs: 2_000, atOnce: PURCHASES })
  while (selling.completed() < 10) await sleep(100)
  await cluster.cut('kafka')
  const before = { begun: selling.begun(), completed: selling.completed() }
  say(`Kafka was cut off; ${before.completed} purchases were complete`)
  await sleep(AWAY_MS)
  const during = { begun: selling.begun(), completed: selling.completed() }
  const broker = await cluster.restart.kafka()
  const backAt = performance.now()
  say(`Kafka is back; ${during.begun - before.begun} purchases were begun without it`)
  const waiting = during.begun - during.completed
  while (selling.completed() < during.begun && selling.open() > 0) await sleep(50)
  const drained = Math.round((performance.now() - backAt) / 1_000)
  const faults = await selling.judge()
  const { events, faults: lost } = await lostEvents(shop.store.folder)
  faults.push(...lost)

  await leave(shop, { faults, say, stopParts: broker.stop })
  return {
    figures: {
      purchases: PURCHASES,
      completed: selling.completed(),
      'seconds without Kafka': AWAY_MS / 1_000,
      'begun without Kafka': during.begun - before.begun,
      'waiting when it came back': waiting,
      'seconds until they were complete': drained,
      'events compared': events,
      'events lost': lost.length,
    },
    faults,
  }
}
