import type { BidKind } from '@nifty/api/catalog/bids'
import type { StopReason } from '@nifty/api/minting/internal'
import type { CancelRequestedBy, Line, Order } from '../db.ts'
import type { Hold } from '../processor/processor.ts'
import { isAwaitingCapture, isInDelivery, isUndecided, isUnpaid, type Reason } from './line.ts'

export const cancelsPaidOrders = (by: CancelRequestedBy | null) =>
  by === 'buyer' || by === 'operator' || by === 'dispute' || by === 'suspension'

/** Throws for a purchase. */
export function bidKindOf({ id, orderKind }: Pick<Order, 'id' | 'orderKind'>): BidKind {
  if (orderKind === 'purchase') throw new Error(`order ${id} is a purchase`)
  return orderKind
}

/** Requests that end a held offer or bid: all that cancel paid orders, and the deletion of the buyer's account. */
export const endsBids = (by: CancelRequestedBy | null) => cancelsPaidOrders(by) || by === 'account'

/**
 * An operator's request, a dispute and the suspension of the seller also stop what is signed, a buyer's request only
 * while the chain is late.
 */
const strengthOf = (by: CancelRequestedBy) => (by === 'buyer' ? 1 : Number(cancelsPaidOrders(by)) * 2)

/** The request to keep: one that stops more is not replaced. */
export const strongerRequest = (current: CancelRequestedBy | null, next: CancelRequestedBy): CancelRequestedBy =>
  current && cancelsPaidOrders(current) && strengthOf(current) >= strengthOf(next) ? current : next

/** The request to capture all that is delivered. A cancellation that came too late ends with it. */
export const captureRequest = (lines: Line[], now: Date) => ({
  cancelRequestedBy: null,
  captureCents: lines.filter(isAwaitingCapture).reduce((sum, { priceCents }) => sum + priceCents, 0),
  captureRequestedAt: now,
})

/** Why minting is to stop what it still can of an order; null while its deliveries go on. */
export function stopReason(
  order: Pick<Order, 'deliverBy' | 'money' | 'cancelRequestedBy'>,
  now: Date,
): StopReason | null {
  if (isLate(order, now)) return 'deadline'
  if (order.money === 'lapsed') return 'hold_lost'
  if (order.cancelRequestedBy === 'buyer') return 'cancelled'
  if (order.cancelRequestedBy === 'dispute') return 'dispute'
  return order.cancelRequestedBy === 'operator' || order.cancelRequestedBy === 'suspension' ? 'operator' : null
}

/** The lines whose delivery is to be stopped now, also those with a signed one: no token leaves without its payment. */
export const linesToStop = (order: Order, lines: Line[], now: Date): Line[] =>
  stopReason(order, now) === null ? [] : lines.filter(isInDelivery)

/** How a line is released whose delivery was stopped, or failed with this reason of minting. */
export function endingOf(
  { cancelRequestedBy, money }: Pick<Order, 'cancelRequestedBy' | 'money'>,
  failure: string,
): { reason: Reason; note: string } {
  // Minting ends the deadline of what it stops.
  if (failure !== 'deadline') return { reason: 'undeliverable', note: failure }
  if (cancelsPaidOrders(cancelRequestedBy)) return { reason: 'cancelled', note: cancelRequestedBy! }
  return { reason: 'undeliverable', note: money === 'lapsed' ? 'hold lost' : failure }
}

/** For the capture after a delivery that is final at its deadline. */
const CAPTURE_WITHIN_MS = 3_600_000

/** When the delivery of an order has to be final: also in time to capture a hold that its card ends earlier. */
export function deadlineOf(
  now: Date,
  deliverWithinMs: number,
  { status, captureBeforeMs }: Pick<Hold, 'status' | 'captureBeforeMs'>,
): Date {
  const holdEndsAt =
    status === 'requires_capture' && captureBeforeMs !== null ? captureBeforeMs : Number.POSITIVE_INFINITY
  return new Date(Math.min(now.getTime() + deliverWithinMs, holdEndsAt - CAPTURE_WITHIN_MS))
}

export const isLate = ({ deliverBy }: Pick<Order, 'deliverBy'>, now: Date) => deliverBy !== null && now >= deliverBy

/** Not paid, or an offer or a bid that is not decided. */
export const isUnsold = (line: Pick<Line, 'state'>) => isUnpaid(line) || isUndecided(line)

/** Whether a request can still stop a line: minting, catalog or the processor decides. */
export const isStoppable = (lines: Pick<Line, 'state'>[]) => lines.some((line) => isUnsold(line) || isInDelivery(line))

/** After this long a signed delivery may be one that waits for the chain. */
const SIGNED_FOR_MS = 10 * 60_000

/**
 * True while the buyer can still cancel: an offer until it is accepted, a bid until its card is held. A signed delivery
 * is left alone unless the chain is late.
 */
export function isCancellable(
  { orderKind, cancelRequestedBy, authorisedAt }: Pick<Order, 'orderKind' | 'cancelRequestedBy' | 'authorisedAt'>,
  lines: Pick<Line, 'state'>[],
  now: Date,
): boolean {
  if (orderKind === 'offer') return cancelRequestedBy === null && lines.some(isUnsold)
  if (orderKind === 'bid') return cancelRequestedBy === null && lines.some(isUnpaid)
  const isSlow = authorisedAt !== null && now.getTime() - authorisedAt.getTime() > SIGNED_FOR_MS
  return (
    cancelRequestedBy === null &&
    lines.some((line) => isUnpaid(line) || line.state === 'authorised' || (line.state === 'delivering' && isSlow))
  )
}
