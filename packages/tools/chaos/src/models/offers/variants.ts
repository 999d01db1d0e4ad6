import { STUCK } from '../search/explore.ts'
import type { Invariant } from './invariants.ts'

/** What a variant without one rule violates; nothing: it has to hold. */
export const variants = {
  'as designed': [],
  /** After a return to the former release: it has no state `held` and cancels the holds of its lines. */
  'a former process gives holds back': [],
  'open before the hold': ['an offer is open, or accepted, once its card was held'],
  /** Payments releases the order while its page is open. */
  'given up by the own clock': [STUCK],
  'verdict only in an event': [STUCK],
  'an accepted offer can be cancelled': [
    'the card of a decided sale is charged, or the bank or the chain prevented it',
  ],
  /** Payments does not ask catalog. */
  'withdrawn without catalog': ['the card of a decided sale is charged, or the bank or the chain prevented it'],
  'no guard against a former process': ['an order is authorised once its offer is accepted', 'one order is authorised'],
  'a released order keeps the work': [STUCK],
  /** The offer is read before the lock of the item. */
  'accepted from an old reading': [STUCK],
  'accepted while somebody pays': ['the work is reserved once', 'one order is authorised'],
} satisfies Record<string, (Invariant | typeof STUCK)[]>

export type Variant = keyof typeof variants
