import type { LineState } from '@nifty/api/payments'

export type { LineState } from '@nifty/api/payments'

/** Why nobody is charged for a line. */
export type Reason = 'cancelled' | 'expired' | 'undeliverable'

/** Every way a line can go. The database holds the same table (`line_transition`) and refuses all else. */
export const transitions: Record<LineState, readonly LineState[]> = {
  placed: ['awaiting_payment', 'released'],
  awaiting_payment: ['authorised', 'released'],
  authorised: ['delivering', 'released'],
  delivering: ['delivered', 'released'],
  delivered: ['completed', 'capture_due', 'written_off'],
  capture_due: ['completed', 'written_off'],
  completed: ['refunded', 'disputed'],
  released: [],
  written_off: [],
  refunded: [],
  disputed: [],
}

/** The state that has the most to do comes first: it speaks for the order. */
const byWorkLeft: readonly LineState[] = [
  'placed',
  'awaiting_payment',
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

export const orderState = (lines: { state: LineState }[]): LineState =>
  byWorkLeft.find((state) => lines.some((line) => line.state === state)) ?? 'released'

export const canBecome = (from: LineState, to: LineState) => transitions[from].includes(to)

/** The states on the straight way from one to another; null when there is none. The same state is no step. */
export function wayTo(from: LineState, to: LineState): LineState[] | null {
  if (from === to) return []
  if (canBecome(from, to)) return [to]
  for (const next of transitions[from]) {
    if (next === 'released') continue
    const rest = wayTo(next, to)
    if (rest) return [next, ...rest]
  }
  return null
}

/** Lines whose token has moved and whose money is still to be taken. */
export const isOwed = ({ state }: { state: LineState }) => state === 'delivered' || state === 'capture_due'

/** Lines that minting may still work on. */
export const isUnderWay = ({ state }: { state: LineState }) => state === 'authorised' || state === 'delivering'

/** Lines that nobody has paid for yet. */
export const isUnpaid = ({ state }: { state: LineState }) => state === 'placed' || state === 'awaiting_payment'
