import type { Line, Order } from '../db.ts'
import { isOwed, isUnderWay } from './line.ts'

/** Where the order's money is: nowhere, held, taken, given back by us, or given back by the card's own deadline. */
export type Money = 'none' | 'held' | 'captured' | 'released' | 'lapsed'

/**
 * Who wants the order ended. The first three reach an order only while nobody has paid it: the sale wins over a
 * seller's wish, over a deleted account and over a start that nobody waits for any more. The others reach an
 * authorised order too, as far as minting has signed nothing.
 */
export type Stop = 'seller' | 'account' | 'abandoned' | 'buyer' | 'operator' | 'dispute'

const reachesPaid = (stop: Stop | null) => stop === 'buyer' || stop === 'operator' || stop === 'dispute'

/** A weak wish never replaces a strong one. */
export const strongerStop = (now: Stop | null, wished: Stop): Stop => (now && reachesPaid(now) ? now : wished)

export { reachesPaid }

export type Step =
  | 'reserve'
  | 'abandon'
  | 'open_session'
  | 'look_at_session'
  | 'expire_session'
  | 'stop_delivery'
  | 'watch_delivery'
  | 'ask_capture'
  | 'capture'
  | 'cancel_hold'
  | 'write_off'
  | 'look_again'
  | 'rest'

/** What brings an order on: one outside call at most, decided by what is stored. */
export function nextStep(order: Order, lines: Line[], now: Date): Step {
  const has = (test: (line: Line) => boolean) => lines.some(test)

  if (has(({ state }) => state === 'placed')) {
    if (lines.some(({ sellerId }) => sellerId === null)) return order.stop ? 'abandon' : 'reserve'
    return 'open_session'
  }
  if (has(({ state }) => state === 'awaiting_payment')) return order.stop ? 'expire_session' : 'look_at_session'
  if (stoppable(order, lines, now).length > 0) return 'stop_delivery'
  if (has(isUnderWay)) return 'watch_delivery'
  if (order.money === 'held') {
    if (!has(isOwed)) return 'cancel_hold'
    return order.captureAskedAt ? 'capture' : 'ask_capture'
  }
  if (order.money === 'lapsed' && has(isOwed)) return 'write_off'
  if (order.sessionId && lines.every(({ state }) => state === 'released')) return 'look_again'
  return 'rest'
}

/** The lines whose delivery should be stopped now. Past the deadline that includes what is signed already. */
export function stoppable(order: Order, lines: Line[], now: Date): Line[] {
  if (isLate(order, now)) return lines.filter(isUnderWay)
  if (!reachesPaid(order.stop) && order.money !== 'lapsed') return []
  return lines.filter(({ state }) => state === 'authorised')
}

export const isLate = ({ deliverBy }: Order, now: Date) => deliverBy !== null && now >= deliverBy

/** True while the buyer can still end it. */
export const isCancellable = (order: Order, lines: Line[]) =>
  order.stop === null &&
  lines.some(({ state }) => state === 'placed' || state === 'awaiting_payment' || state === 'authorised')
