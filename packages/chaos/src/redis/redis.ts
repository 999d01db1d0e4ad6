import { setTimeout as sleep } from 'node:timers/promises'
import { accountsOf, createVisitor, signIn } from '@nifty/testkit/visitor'
import type { Campaign } from '../campaign.ts'
import { countRequests } from '../requests.ts'
import { sell } from '../selling.ts'
import { leave, openShop } from '../shop.ts'
import { faultsOf } from './faults.ts'
import { watchPrices } from './freshness.ts'

const PURCHASES = 40
const STALE_AFTER_MS = 1_000

/** Redis is flushed, filled with junk, full, standing still and stopped: the market answers on, and tells the truth. */
export const redis: Campaign = async (say) => {
  const shop = await openShop({ say, works: PURCHASES + 20, launcher: 'cluster/main.ts', env: { REPLICAS: '2' } })
  const { run } = shop
  const [creator] = accountsOf(run, 'creator')
  const work = shop.works.find(({ ownerUsername }) => ownerUsername === creator!.username)!
  const others = shop.works.filter(({ _id }) => _id !== work._id)

  const requests = countRequests(run.url)
  const selling = sell(shop, others.slice(0, PURCHASES), { everyMs: 3_000, atOnce: 4 })
  const prices = watchPrices({ seller: await signIn(run, creator!), reader: createVisitor(run), work })
  const { faults: redisFaults, end } = await faultsOf(shop.store.folder)
  const figures: Record<string, number | string> = {}
  const faults: string[] = []
  let reads = 0
  for (const { name, seconds, begin } of redisFaults) {
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
    figures[`${name}: reads, failed, p99 ms, stalest ms`] = [taken.length, failed, p99, stalest].join(', ')
    say(`${name}: ${taken.length} reads, ${failed} requests failed, p99 ${p99} ms, stalest ${stalest} ms`)
    if (taken.length === 0) faults.push(`${name}: nobody could read`)
    if (stalest > STALE_AFTER_MS) faults.push(`${name}: an answer was stale by ${stalest} ms`)
    await stop()
  }
  await prices.stop()
  faults.push(...(await selling.judge()), ...requests.failed.map((what) => `failed at the gateway: ${what}`))
  await leave(shop, { faults, say, stopParts: end })
  return {
    figures: {
      purchases: PURCHASES,
      completed: selling.completed(),
      'price changes': prices.changes(),
      'reads of the market': reads,
      'requests at the gateway': requests.sent,
      'requests that failed': requests.failed.length,
      ...figures,
    },
    faults,
  }
}
