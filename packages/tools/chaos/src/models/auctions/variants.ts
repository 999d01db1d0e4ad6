import { STUCK } from '../search/explore.ts'
import type { Invariant } from './invariants.ts'

/** What a variant without one rule violates; nothing: it has to hold. */
export const variants = {
  'as designed': [],
  /** After a return to the former release: it has no state `held` and cancels the holds of its lines. */
  'a former process gives holds back': [],
  'placed before the hold': ['a bid leads, or has won, once its card was held'],
  'decided while a bid is under way': ['a higher bid that its bank confirmed in time loses after three minutes only'],
  /** Payments releases the order while its page is open. */
  'given up by the own clock': [STUCK],
  'verdict only in an event': [STUCK],
  'a winner can cancel': ['the card of a winner is charged, or the bank or the chain prevented it'],
  /** Payments does not ask catalog. */
  'cancelled without catalog': ['the card of a winner is charged, or the bank or the chain prevented it'],
  'no guard against a former process': ['an order is authorised once its bid has won', 'one order is authorised'],
  'the whole hold is captured': ['a card is charged the price of its auction'],
  'a released winner keeps the work': [STUCK],
  'reserved after the award': ['an awarded work is reserved for its winner', 'one order is authorised'],
} satisfies Record<string, (Invariant | typeof STUCK)[]>

export type Variant = keyof typeof variants
