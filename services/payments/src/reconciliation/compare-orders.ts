import { checkFinalDeliveries } from '@nifty/api/minting/internal'
import type { Order } from '../db.ts'
import type { Hold } from '../processor/processor.ts'
import { storedFacts } from './order-facts.store.ts'
import { type Compared, compareOrder } from './reconciliation.ts'
import type { StepContext } from './run-page.ts'

type Pair = { order: Order; hold: Hold | null }

/** Compares orders with their holds. One call to minting, and calls to the processor for refunded and disputed ones. */
export async function compareOrders(
  { trx, processor, minting }: StepContext,
  pairs: Pair[],
): Promise<(Compared & { order: Order })[]> {
  const factsOf = await storedFacts(
    trx,
    pairs.map(({ order }) => order.id),
  )
  const delivered = pairs.flatMap(({ order }) => factsOf(order.id).deliveredLines)
  const final = new Set(
    delivered.length === 0 ? [] : (await minting(checkFinalDeliveries, { body: { lineIds: delivered } })).lineIds,
  )
  const compared: (Compared & { order: Order })[] = []
  for (const { order, hold } of pairs) {
    const { bookedCents, withdrawnCents, deliveredLines } = factsOf(order.id)
    const facts = {
      ...{ order, hold, bookedCents },
      withdrawnCents: {
        ours: withdrawnCents,
        processor: hold && (hold.isReversed || withdrawnCents > 0) ? await processor.withdrawnCents(hold.id) : 0,
      },
      undelivered: deliveredLines.filter((lineId) => !final.has(lineId)),
    }
    compared.push({ ...compareOrder(facts), order })
  }
  return compared
}
