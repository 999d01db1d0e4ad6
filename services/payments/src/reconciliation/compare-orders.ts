import { checkFinalDeliveries } from '@nifty/api/minting/internal'
import type { Hold, Processor } from '../processor/processor.ts'
import { type Compared, type ComparedOrder, compareOrder } from './compare-order.ts'
import { storedFacts } from './order-facts.store.ts'
import type { StepContext } from './reconciliation-step.ts'

type Pair = { order: ComparedOrder; hold: Hold | null }

/** Compares orders with their holds. One call to minting, and calls to the processor for refunded and disputed ones. */
export async function compareOrders(
  { trx, processor, minting }: StepContext,
  pairs: Pair[],
): Promise<(Compared & { order: ComparedOrder })[]> {
  const factsOf = await storedFacts(
    trx,
    pairs.map(({ order }) => order.id),
  )
  const delivered = pairs.flatMap(({ order }) => factsOf(order.id).deliveredLines)
  const final = new Set(
    delivered.length === 0 ? [] : (await minting(checkFinalDeliveries, { body: { lineIds: delivered } })).lineIds,
  )
  const compared: (Compared & { order: ComparedOrder })[] = []
  for (const { order, hold } of pairs) {
    const stored = factsOf(order.id)
    const facts = {
      order,
      hold,
      bookedCents: stored.bookedCents,
      isReversalOpen: stored.isReversalOpen,
      withdrawnCents: {
        ours: stored.withdrawnCents,
        processor:
          hold && (hold.isReversed || stored.withdrawnCents > 0) ? await withdrawnCents(processor, hold.id) : 0,
      },
      undelivered: stored.deliveredLines.filter((lineId) => !final.has(lineId)),
    }
    compared.push({ ...compareOrder(facts), order })
  }
  return compared
}

/** What left a captured payment by refunds and disputes, cents. */
export async function withdrawnCents(processor: Processor, intentId: string): Promise<number> {
  const reversals = await processor.reversals(intentId)
  return reversals.reduce((sum, reversal) => sum + reversal.withdrawnCents, 0)
}
