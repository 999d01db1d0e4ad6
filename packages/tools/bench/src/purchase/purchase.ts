import { setTimeout as sleep } from 'node:timers/promises'
import type { Order } from '@nifty/api/payments/public'
import { type ApiClient, accountsOf, logIn, pay } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import type { Cluster } from '../cluster/cluster.ts'
import type { Figure } from '../results/target.ts'
import { forEachAtOnce } from '../run/at-once.ts'
import type { Run } from '../run/part.ts'
import { purchase as targets } from '../run/targets.ts'
import { countProcessorCalls } from './processor.ts'
import { difference, readUsage, sumOf } from './usage.ts'

const PURCHASES = { whole: 32, short: 8 }
/**
 * Before the measurement: each connection parses its statements once, and the first calls of a function are not
 * compiled.
 */
const WARM_UP = { whole: 64, short: 16 }
const AT_ONCE = 8
const IDLE_MS = { whole: 20_000, short: 8_000 }
/** Mails follow the last state of an order, and idle connections report their transactions to PostgreSQL after 10 s. */
const AFTERWARDS_MS = 11_000
/** The front end's intervals between two polls of an order (web, `orders/use-orders.ts`). */
const POLL_MS = { first: 1_500, later: 5_000, laterAfter: 15_000 }

/**
 * What one purchase costs, from the click until the mails are queued, in a cluster of one process a service: CPU time,
 * transactions, rows, events, bytes and calls to the processor. What the idle cluster uses in the same time is measured
 * first and taken off.
 */
export async function benchPurchase({ form, cluster }: Run): Promise<Figure[]> {
  const started = await cluster()
  const processor = await countProcessorCalls(started.run)
  try {
    return await measure(form, started, processor)
  } finally {
    // The parts that follow use the same sandbox.
    await processor.stop()
  }
}

type Processor = Pick<Awaited<ReturnType<typeof countProcessorCalls>>, 'count'>

async function measure(form: Run['form'], { run, postgres, pids, untilQuiet }: Cluster, processor: Processor) {
  const read = async () => ({ ...(await readUsage({ postgres, pids })), 'processor: calls': await processor.count() })
  const buyers = await Promise.all(accountsOf(run, 'collector').map((account) => logIn(run, account)))
  await buy(run, buyers, WARM_UP[form])
  await untilQuiet()
  await sleep(AFTERWARDS_MS)
  const before = await read()
  await sleep(IDLE_MS[form])
  const idle = difference(await read(), before)

  const count = PURCHASES[form]
  const began = performance.now()
  const start = await read()
  await buy(run, buyers, count)
  await sleep(AFTERWARDS_MS)
  const used = difference(await read(), start)
  const share = (performance.now() - began) / IDLE_MS[form]

  const each = Object.fromEntries(
    Object.entries(used).map(([name, amount]) => [name, Math.max(0, amount - idle[name]! * share) / count]),
  )
  return [
    { target: targets.cpu, figure: sumOf(each, 'CPU') },
    { target: targets.transactions, figure: sumOf(each, 'SQL transactions') },
    { target: targets.processorCalls, figure: each['processor: calls']! },
    ...Object.entries(each).map(([name, figure]) => ({
      name: `a purchase, ${name}`,
      unit: name.endsWith('CPU') ? 'ms' : '',
      figure,
    })),
  ]
}

async function buy(run: RunFile, buyers: ApiClient[], count: number) {
  const works = (await buyers[0]!.market()).filter(({ forSale, reserved }) => forSale && !reserved).slice(0, count)
  if (works.length < count) throw new Error(`only ${works.length} works are for sale`)
  await forEachAtOnce(works, AT_ONCE, async (work, place) => {
    const buyer = buyers[place % buyers.length]!
    const { body } = await buyer.buy(work)
    await pay(run, body.url, run.cards.approved)
    await untilCompleted(buyer, body.orderId)
  })
}

/** Polls as the front end does: soon after each change, later rarely. */
async function untilCompleted(buyer: ApiClient, orderId: string) {
  let seen: { state: Order['state'] | undefined; at: number } = { state: undefined, at: 0 }
  for (;;) {
    const { state } = await buyer.order(orderId)
    if (state === 'completed') return
    if (state === 'released') throw new Error(`order ${orderId} was released`)
    if (state !== seen.state) seen = { state, at: performance.now() }
    await sleep(performance.now() - seen.at < POLL_MS.laterAfter ? POLL_MS.first : POLL_MS.later)
  }
}
