import type { Line, Order } from '../db.ts'
import type { Hold } from '../processor/processor.ts'
import { isAwaitingCapture, isInDelivery, isUnpaid } from './line.ts'

/** Where the money of an order is. `released`: we cancelled the hold. `lapsed`: the card's own deadline ended it. */
export type Money = 'none' | 'held' | 'captured' | 'released' | 'lapsed'

/**
 * Who requested the cancellation. `seller`, `account` (the buyer's was deleted) and `timeout` (the start took too long)
 * cancel unpaid orders only. The others also cancel authorised lines for which minting has signed nothing.
 */
export type CancelRequestedBy = 'seller' | 'account' | 'timeout' | 'buyer' | 'operator' | 'dispute'

export const cancelsPaidOrders = (by: CancelRequestedBy | null) =>
  by === 'buyer' || by === 'operator' || by === 'dispute'

/** The request to keep: one that also cancels paid orders is not replaced. */
export const strongerRequest = (current: CancelRequestedBy | null, next: CancelRequestedBy): CancelRequestedBy =>
  current && cancelsPaidOrders(current) ? current : next

export type Step =
  | 'reserve'
  | 'abandon'
  | 'open_session'
  | 'poll_session'
  | 'expire_session'
  | 'stop_delivery'
  | 'watch_delivery'
  | 'prepare_capture'
  | 'capture'
  | 'cancel_hold'
  | 'write_off'
  | 'recheck_session'
  | 'rebuild'
  | 'done'

/**
 * The next step of an order, from its stored state alone. Each step is one file in `steps/` and makes at most one call
 * to another system. The first row that matches counts; `order.test.ts` holds table and code together.
 *
 * | lines, money                              | step            | leads to                                             |
 * | ----------------------------------------- | --------------- | ---------------------------------------------------- |
 * | any placed or unpaid, of a rebuilt order  | rebuild         | released, in delivery or delivered: as the processor |
 * |                                           |                 |   and the chain have it                              |
 * | any placed and not reserved               | reserve         | reserved; released if catalog rejects the order      |
 * | – and a cancellation is requested         | abandon         | released; catalog frees what it may have reserved    |
 * | any placed                                | open_session    | awaiting_payment; released if there is no session    |
 * | any awaiting_payment                      | poll_session    | authorised once paid; released once expired          |
 * | – and a cancellation is requested         | expire_session  | released; authorised if the payment was faster       |
 * | any authorised or delivering, past its    | stop_delivery   | released where minting signed nothing; else minting  |
 * |   deadline; any authorised, and cancelled |                 |   reports the outcome on the chain                   |
 * |   by the buyer, an operator, a dispute or |                 |                                                      |
 * |   a lapsed hold                           |                 |                                                      |
 * | any authorised or delivering              | watch_delivery  | delivering, delivered, released: by minting's events |
 * | some delivered, none in delivery, held    | prepare_capture | the amount is stored                                 |
 * | – and the amount is stored                | capture         | completed; capture_due if the processor refuses      |
 * | none delivered or in delivery, held       | cancel_hold     | money released                                       |
 * | some delivered, none in delivery, lapsed  | write_off       | written_off                                          |
 * | all released, a session or intent exists  | recheck_session | cancel_hold if it was paid after all                 |
 * | anything else                             | done            |                                                      |
 */
export function nextStep(order: Order, lines: Line[], now: Date): Step {
  const has = (test: (line: Line) => boolean) => lines.some(test)
  const isCancelled = order.cancelRequestedBy !== null

  if (order.rebuiltAt && has(isUnpaid)) return 'rebuild'
  if (has(({ state }) => state === 'placed')) {
    if (has(({ sellerId }) => sellerId === null)) return isCancelled ? 'abandon' : 'reserve'
    return 'open_session'
  }
  if (has(({ state }) => state === 'awaiting_payment')) return isCancelled ? 'expire_session' : 'poll_session'
  if (linesToStop(order, lines, now).length > 0) return 'stop_delivery'
  if (has(isInDelivery)) return 'watch_delivery'
  if (order.money === 'held') {
    if (!has(isAwaitingCapture)) return 'cancel_hold'
    return order.captureRequestedAt ? 'capture' : 'prepare_capture'
  }
  if (order.money === 'lapsed' && has(isAwaitingCapture)) return 'write_off'
  const isPayable = order.sessionId !== null || order.intentId !== null
  if (isPayable && lines.every(({ state }) => state === 'released')) return 'recheck_session'
  return 'done'
}

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
