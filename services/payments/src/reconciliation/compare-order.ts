import type { Order } from '../db.ts'
import type { Hold } from '../processor/processor.ts'
import { formatSums, isSame, nothing, type Sums } from './reconciliation.ts'

/**
 * The columns of an order that a comparison reads. Not its session request: that alone is larger than the rest of a
 * page.
 */
export const comparedColumns = ['id', 'intentId', 'money', 'heldCents', 'capturedCents', 'unreconciledChanges'] as const
export type ComparedOrder = Pick<Order, (typeof comparedColumns)[number]>

type Money = Pick<Order, 'money' | 'heldCents' | 'capturedCents'>

/** Sums of an order's hold as stored here. */
function ourSums({ money, heldCents, capturedCents }: Money, withdrawnCents: number): Sums {
  const inFlightCents = money === 'held' ? heldCents : 0
  return {
    heldCents,
    capturedCents,
    inFlightCents,
    withdrawnCents,
    releasedCents: heldCents - capturedCents - inFlightCents,
  }
}

/** Sums of a hold at the processor; all 0 for an intent that was never authorised. */
export function processorSums(
  { status, amount, capturedCents }: Hold,
  { wasHeld, withdrawnCents }: { wasHeld: boolean; withdrawnCents: number },
): Sums {
  if (status === 'requires_capture') return { ...nothing, heldCents: amount, inFlightCents: amount }
  if (status === 'succeeded')
    return { ...nothing, heldCents: amount, capturedCents, releasedCents: amount - capturedCents, withdrawnCents }
  return status === 'canceled' && wasHeld ? { ...nothing, heldCents: amount, releasedCents: amount } : nothing
}

/** What is known of one order's money, cents. */
export type OrderFacts = {
  order: ComparedOrder
  /** Null when the processor has no such intent. */
  hold: Hold | null
  bookedCents: number
  isReversalOpen: boolean
  /** By refunds and disputes, as stored here and at the processor. */
  withdrawnCents: { ours: number; processor: number }
  /** Delivered lines of which minting has no final delivery. */
  undelivered: string[]
}

/** `isSettled`: nothing of it changes any more without a new refund, dispute or booking. */
export type Compared = { ours: Sums; processor: Sums; detail: string | null; isSettled: boolean }

/** Compares one order. `detail` is null when everything agrees. */
export function compareOrder(facts: OrderFacts): Compared {
  const { order, hold, bookedCents, withdrawnCents, undelivered } = facts
  const ours = ourSums(order, withdrawnCents.ours)
  const wasHeld = order.money !== 'none'
  /** One that ended and was deleted there has none. */
  const hasMoney = order.money === 'held' || order.money === 'captured'
  const processor = hold ? processorSums(hold, { wasHeld, withdrawnCents: withdrawnCents.processor }) : nothing
  const keptCents = order.capturedCents - withdrawnCents.ours
  const details = [
    !hold && hasMoney ? 'the processor has no such hold' : null,
    hold && !isSame(ours, processor) ? `ours: ${formatSums(ours)}; processor: ${formatSums(processor)}` : null,
    bookedCents === keptCents ? null : `booked ${bookedCents} where ${keptCents} were captured and not withdrawn`,
    ...undelivered.map((lineId) => `line ${lineId} is delivered in payments, but not on the chain`),
  ]
  const isSettled = order.money !== 'held' && !facts.isReversalOpen
  return { ours, processor, detail: details.filter((detail) => detail !== null).join('; ') || null, isSettled }
}
