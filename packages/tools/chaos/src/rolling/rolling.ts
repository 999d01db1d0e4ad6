import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectCluster } from '@nifty/testkit/cluster'
import { type Secrets, storeIdOf } from '@nifty/testkit/data-dir'
import type { Campaign } from '../campaign/campaign.ts'
import { databaseServerUrl } from '../campaign/databases.ts'
import { lostEvents } from '../campaign/messages.ts'
import { countRequests } from '../campaign/requests.ts'
import { sell } from '../campaign/sales.ts'
import { auctioneersOf, closeShop, openShop, takeOffersFor } from '../campaign/shop.ts'

import { countReads, watchUnknownVersions } from './mixed-fleet.ts'
import { copyNextVersion } from './next/version.ts'

import { startReaders } from './readers.ts'

const PURCHASES = 60
/** Every fourth purchase is an offer, which is accepted. */
const OFFERED = (place: number) => place % 4 === 3
/** Every fourth one is an auction, in which another bidder is outbid. */
const AUCTIONED = (place: number) => place % 4 === 1
const STEADY_MS = 10_000

/** Replaces every process by one of the next version under load, one at a time: no request may fail. */
export const rolling: Campaign = async (log) => {
  const env = { REPLICAS: '2', DRAIN_SECONDS: '8' }
  const shop = await openShop({ log, works: PURCHASES + 10, launcher: 'cluster/main.ts', env })
  const sold = shop.works.slice(0, PURCHASES)
  const owners = await takeOffersFor(
    shop.run,
    sold.filter((_work, place) => OFFERED(place)),
  )
  const auctioneers = await auctioneersOf(
    shop,
    sold.filter((_work, place) => AUCTIONED(place)),
  )
  const cluster = connectCluster(shop.store.folder)
  const next = await copyNextVersion(join(shop.store.folder, 'next'))
  const total = (await cluster.processes()).length
  let replaced = 0
  let over = false
  const watching = (async () => {
    while (!over) {
      const now = (await cluster.processes()).filter(({ program }) => program.startsWith(next.root)).length
      if (now > replaced) log(`${now} of ${total} are of the next version`)
      replaced = now
      await sleep(200)
    }
  })()

  const requests = countRequests(shop.run.url)
  const readers = startReaders(shop.run, shop.works)
  const unknown = watchUnknownVersions(shop.store.folder)
  const selling = sell(shop, sold, {
    owners,
    auctioneers,
    everyMs: 1_000,
    atOnce: 6,
    // Spread over the whole of the update.
    mayBegin: (place) => place < ((replaced + 1) / total) * PURCHASES,
  })
  await sleep(STEADY_MS)
  const secrets: Secrets = JSON.parse(await readFile(join(shop.store.folder, 'secrets.json'), 'utf8'))
  await next.migrate(await databaseServerUrl(shop.store.folder), storeIdOf(secrets))
  log('the databases are those of the next version, every process is of the former one')
  await sleep(STEADY_MS)
  const updatedAt = performance.now()
  const reply = await shop.store.send({ root: next.root })
  const updateSeconds = Math.round((performance.now() - updatedAt) / 1_000)
  await sleep(STEADY_MS)
  over = true
  await watching
  await selling.done
  await readers.stop()

  const { sent, failed } = requests
  const violations = failed.map((what) => `failed at the gateway: ${what}`)
  if (reply.failed) violations.push(String(reply.failed))
  violations.push(...(await selling.violations()))
  const { events, violations: lost } = await lostEvents(shop.store.folder)
  const reads = await countReads(shop.store.folder, await unknown.stop())
  violations.push(...lost, ...reads.violations)
  await closeShop(shop, { violations, log })
  return {
    metrics: {
      purchases: PURCHASES,
      'of these by an offer': owners.size,
      'of these by an auction': auctioneers.size,
      completed: selling.completed(),
      'processes replaced': `${replaced} of ${total}`,
      'seconds of the update': updateSeconds,
      'requests at the gateway': sent,
      'requests that failed': failed.length,
      'events compared': events,
      ...reads.counts,
    },
    violations,
  }
}
