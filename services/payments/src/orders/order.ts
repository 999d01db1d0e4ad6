import type { CancelRequestedBy, Line, Order } from '../db.ts'
import type { Hold } from '../processor/processor.ts'
import { isAwaitingCapture, isInDelivery } from './line.ts'

export const cancelsPaidOrders = (by: CancelRequestedBy | null) =>
  by === 'buyer' || by === 'operator' || by === 'dispute'

/** The request to keep: one that also cancels paid orders is not replaced. */
export const strongerRequest = (current: CancelRequestedBy | null, next: CancelRequestedBy): CancelRequestedBy =>
  current && cancelsPaidOrders(current) ? current : next

/** The request to capture all that is delivered. */
export const captureRequest = (lines: Line[], now: Date) => ({
  captureCents: lines.filter(isAwaitingCapture).reduce((sum, { priceCents }) => sum + priceCents, 0),
  captureRequestedAt: now,
})

/** The lines whose delivery is to be stopped now. Past the deadline that includes signed deliveries. */
export function linesToStop(order: Order, lines: Line[], now: Date): Line[] {
  if (isLate(order, now)) return lines.filter(isInDelivery)
  if (!cancelsPaidOrders(order.cancelRequestedBy) && order.money !== 'lapsed') return []
  return lines.filter(({ state }) => state === 'authorised')
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

export const isLate = ({ deliverBy }: Order, now: Date) => deliverBy !== null && now >= deliverBy

/** True while the buyer can still cancel. */
export const isCancellable = (order: Pick<Order, 'cancelRequestedBy'>, lines: Pick<Line, 'state'>[]) =>
  order.cancelRequestedBy === null &&
  lines.some(({ state }) => state === 'placed' || state === 'awaiting_payment' || state === 'authorised')
