import { setTimeout as sleep } from 'node:timers/promises'
import { accountsOf, createApiClient, logIn } from '@nifty/testkit/api-client'
import { watchPrices } from '@nifty/testkit/watch-prices'
import type { Campaign } from '../campaign/campaign.ts'
import { countRequests } from '../campaign/requests.ts'
import { sell } from '../campaign/sales.ts'
import { closeShop, openShop } from '../campaign/shop.ts'
import { redisFaults } from './faults.ts'

const PURCHASES = 40
const STALE_AFTER_MS = 1_000

/**
 * Redis is flushed, filled with junk, full, paused and stopped: market requests succeed and are at most a second stale.
 */
export const redis: Campaign = async (log) => {
  const shop = await openShop({ log, works: PURCHASES + 20, launcher: 'cluster/main.ts', env: { REPLICAS: '2' } })
  const { run } = shop
  const [creator] = accountsOf(run, 'creator')
  const work = shop.works.find(({ ownerUsername }) => ownerUsername === creator!.username)!
  const others = shop.works.filter(({ _id }) => _id !== work._id)

  const requests = countRequests(run.url)
  const selling = sell(shop, others.slice(0, PURCHASES), { everyMs: 3_000, atOnce: 4 })
  const prices = watchPrices({ seller: await logIn(run, creator!), reader: createApiClient(run), work })
  const { faults, close } = await redisFaults(shop.store.folder)
  const metrics: Record<string, number | string> = {}
  const violations: string[] = []
  let reads = 0
  for (const { name, seconds, begin } of faults) {
    prices.take()
    const failedBefore = requests.failed.length
    const stop = await begin()
    await sleep(seconds * 1_000)
    const taken = prices.take()
    reads += taken.length
    const stalest = Math.round(Math.max(0, ...taken.map(({ staleMs }) => staleMs)))
    const times = taken.map(({ ms }) => ms).sort((one, other) => one - other)
    const p99 = Math.round(times[Math.floor(times.length * 0.99)] ?? 0)
    const failed = requests.failed.length - failedBefore
    metrics[`${name}: reads, failed, p99 ms, stalest ms`] = [taken.length, failed, p99, stalest].join(', ')
    log(`${name}: ${taken.length} reads, ${failed} requests failed, p99 ${p99} ms, stalest ${stalest} ms`)
    if (taken.length === 0) violations.push(`${name}: no read succeeded`)
    if (stalest > STALE_AFTER_MS) violations.push(`${name}: a response was stale by ${stalest} ms`)
    await stop()
  }
  await prices.stop()
  violations.push(...(await selling.violations()), ...requests.failed.map((what) => `failed at the gateway: ${what}`))
  await closeShop(shop, { violations, log, stopServers: close })
  return {
    metrics: {
      purchases: PURCHASES,
      completed: selling.completed(),
      'price changes': prices.changes(),
      'reads of the market': reads,
      'requests at the gateway': requests.sent,
      'requests that failed': requests.failed.length,
      ...metrics,
    },
    violations,
  }
}
