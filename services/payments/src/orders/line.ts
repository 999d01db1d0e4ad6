import type { LineState } from '@nifty/api/payments/line-states'

export type { LineState } from '@nifty/api/payments/line-states'

/** Why a line was released without a charge. `lost`: an offer or a bid whose card was held ended undecided. */
export type Reason = 'cancelled' | 'expired' | 'undeliverable' | 'lost'

/** All allowed transitions. The database has the same table (`line_transition`) and refuses any other. */
export const transitions: Record<LineState, readonly LineState[]> = {
  placed: ['awaiting_payment', 'released'],
  awaiting_payment: ['authorised', 'held', 'released'],
  held: ['authorised', 'released'],
  authorised: ['delivering', 'released'],
  delivering: ['delivered', 'released'],
  delivered: ['completed', 'capture_due', 'written_off'],
  capture_due: ['completed', 'written_off'],
  completed: ['refunded', 'disputed'],
  released: [],
  written_off: [],
  // A refund may fail at the bank after it succeeded; a dispute may be won.
  refunded: ['completed'],
  disputed: ['completed'],
}

/** By remaining work, most first. The state of an order is the first of these that one of its lines has. */
const byRemainingWork: readonly LineState[] = [
  'placed',
  'awaiting_payment',
  'held',
  'authorised',
  'delivering',
  'capture_due',
  'delivered',
  'disputed',
  'written_off',
  'completed',
  'refunded',
  'released',
]

/** Not final. The index `line_open` has the same states: lines in final ones only grow. */
export const openStates: readonly LineState[] = [
  'placed',
  'awaiting_payment',
  'held',
  'authorised',
  'delivering',
  'delivered',
  'capture_due',
]

export const orderState = (lines: { state: LineState }[]): LineState =>
  byRemainingWork.find((state) => lines.some((line) => line.state === state)) ?? 'released'

const canBecome = (from: LineState, to: LineState) => transitions[from].includes(to)

/** The states from one (exclusive) to another (inclusive) without `released`; null when there is no path. */
export function pathTo(from: LineState, to: LineState, seen: readonly LineState[] = []): LineState[] | null {
  if (from === to) return []
  if (canBecome(from, to)) return [to]
  for (const next of transitions[from]) {
    if (next === 'released' || seen.includes(next)) continue
    const tail = pathTo(next, to, [...seen, from])
    if (tail) return [next, ...tail]
  }
  return null
}

/** Delivered and not captured. */
export const isAwaitingCapture = ({ state }: { state: LineState }) => state === 'delivered' || state === 'capture_due'

/** Minting may be delivering it. */
export const isInDelivery = ({ state }: { state: LineState }) => state === 'authorised' || state === 'delivering'

/** Sold: the card is held for its delivery, or charged. */
export const isPaid = (line: { state: LineState }) => !isUnpaid(line) && !isUndecided(line) && line.state !== 'released'

/** Not paid yet. */
export const isUnpaid = ({ state }: { state: LineState }) => state === 'placed' || state === 'awaiting_payment'

/** The card is held, and catalog has not decided yet whether it is sold. */
export const isUndecided = ({ state }: { state: LineState }) => state === 'held'
