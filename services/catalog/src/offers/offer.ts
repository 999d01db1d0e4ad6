import type { BidState } from '@nifty/api/catalog/bids'
import type { OfferDays } from '@nifty/api/offer-days'
import type { Offer } from '../db.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** From the end of an offer on: a day for the delivery, and an hour for the capture. */
const HOLD_LASTS_LONGER_MS = 25 * HOUR_MS

/** Why an offer ends by what happens to its work. */
export type SellingEnd = 'sold' | 'moved' | 'hidden' | 'account' | 'undeliverable'

/** When an offer ends by itself that is open since `openedAt`. */
export const endOf = (days: OfferDays, openedAt: Date) => new Date(openedAt.getTime() + days * DAY_MS)

/** Since when an offer is open that ends at `endsAt`: catalog has read by then that its card is held. */
export const openedAtOf = ({ days }: Pick<Offer, 'days'>, endsAt: Date) => new Date(endsAt.getTime() - days * DAY_MS)

/**
 * Whether a card that is held until `captureBefore` may be given back before the delivery of an offer that is accepted
 * at its end. Null: the processor does not report it.
 */
export const isHoldTooShort = (captureBefore: Date | null, endsAt: Date) =>
  captureBefore === null || captureBefore.getTime() < endsAt.getTime() + HOLD_LASTS_LONGER_MS

/** Until when a permit has to be valid that delivers it: for as long as its hold lasts at least, and a margin. */
export const deliverableUntil = (endsAt: Date) => new Date(endsAt.getTime() + HOLD_LASTS_LONGER_MS + HOUR_MS)

/** Whether the owner can accept it now. */
export const isAcceptable = ({ state, endsAt }: Pick<Offer, 'state' | 'endsAt'>, now: Date) =>
  state === 'open' && endsAt !== null && endsAt > now

/** Of an accepted offer: the work has arrived. All others have ended without a sale. */
export const DELIVERED = 'delivered'

const heldFor = new Set(['hold_too_short', 'hold_lost'])

/** Whether the card of an offer was held before it ended. */
export const wasHeld = ({ endsAt }: Pick<Offer, 'endsAt'>, why: string) => endsAt !== null || heldFor.has(why)

/** The state that payments reads. */
export function bidStateOf({ state, why, priceCents, endsAt }: Offer): BidState {
  if (state === 'accepted' || why === DELIVERED) return { state: 'won', priceCents, why: null, decideBy: null }
  if (state === 'ended') return { state, priceCents: null, why, decideBy: null }
  return { state: 'open', priceCents: null, why: null, decideBy: endsAt?.toISOString() ?? null }
}
