import { addWorks, worksForSale } from '../cluster/works.ts'
import { slowProcessor } from '../purchase/processor.ts'
import { percentile } from '../results/statistics.ts'
import type { Figure } from '../results/target.ts'
import type { Run } from '../run/part.ts'
import { sizeOf } from '../run/sizes.ts'
import { crowd as targets } from '../run/targets.ts'
import { untilAuthorised } from './authorised.ts'
import { createBuyers } from './buyers.ts'
import { arrive, cancelAtOnce, startAtOnce } from './starts.ts'

const PROCESSOR_MS = 350
/** Buyers arrive within ten seconds. */
const BUYERS = sizeOf('BENCH_BUYERS', 500)
const ARRIVE_WITHIN_MS = 10_000
/** Orders whose payment page is open. */
const WAITING = sizeOf('BENCH_WAITING', 5_000)
const FAST = 200
/** Requests under way at the same time without arrivals at given moments. */
const AT_ONCE = 32

/**
 * Starts of purchases by a crowd in a cluster of one process a service, and how long a paid order takes until it is
 * authorised meanwhile, with a processor that responds slowly: with nothing else to do, and while other orders wait for
 * their payment. And the starts of the whole machine with a processor that responds at once.
 */
export async function benchCrowd({ cluster, log }: Run): Promise<Figure[]> {
  const { run, postgres, untilQuiet } = await cluster()
  await addWorks({ run, postgresUrl: postgres.url }, 2 * BUYERS + WAITING + 2 * FAST)
  await untilQuiet()
  log('works listed')
  const works = await worksForSale(run)
  const buyers = await createBuyers(run, BUYERS)
  log(`${BUYERS} buyers`)
  const start = (count: number) =>
    startAtOnce({ buyers, works: works.splice(0, count), atOnce: AT_ONCE, deliverTo: 'custody' })
  // Warms up code and statements, as the other parts do.
  await cancelAtOnce((await start(FAST)).started, AT_ONCE)
  await untilQuiet()
  const fast = await start(FAST)
  await cancelAtOnce(fast.started, AT_ONCE)
  await untilQuiet()

  const crowd = async () => {
    const slow = await slowProcessor(run, PROCESSOR_MS)
    try {
      const arrived = await arrive(run, { buyers, works: works.splice(0, BUYERS), withinMs: ARRIVE_WITHIN_MS })
      const seenMs = await untilAuthorised(postgres.url, arrived.paid)
      const seenAtOnceMs = seenMs.filter((_ms, place) => arrived.paid[place]!.atOnce)
      return { ...arrived, seen: percentile(seenMs, 0.95), seenAtOnce: percentile(seenAtOnceMs, 0.95) }
    } finally {
      // The parts that follow use the same cluster.
      await slow.stop()
      await untilQuiet()
    }
  }
  const alone = await crowd()
  log(`${alone.perSecond.toFixed(1)} starts a second`)
  const waiting = await start(WAITING)
  log(`${WAITING} orders wait for their payment`)
  const crowded = await crowd().finally(() => cancelAtOnce(waiting.started, AT_ONCE))
  log(`${crowded.perSecond.toFixed(1)} starts a second`)
  await untilQuiet()
  return [
    { target: targets.slowStarts, figure: alone.perSecond },
    { target: targets.seen, figure: alone.seen },
    { target: targets.serverErrors, figure: alone.serverErrors },
    { target: targets.waitingStarts, figure: crowded.perSecond },
    { target: targets.waitingSeen, figure: crowded.seen },
    { target: targets.waitingServerErrors, figure: crowded.serverErrors },
    { target: targets.fastStarts, figure: fast.perSecond },
    { name: 'an order paid at once seen, 95th percentile, processor 350 ms', unit: 'ms', figure: alone.seenAtOnce },
    {
      name: 'an order paid at once seen, 95th percentile, 5,000 orders waiting',
      unit: 'ms',
      figure: crowded.seenAtOnce,
    },
  ]
}
