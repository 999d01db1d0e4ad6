/** One offer as each system has it, and what is published and not consumed yet. */
export type Offer = {
  catalog: 'none' | 'started' | 'open' | 'accepted' | 'ended'
  /** Payments: the line of its order. */
  line:
    | 'none'
    | 'placed'
    | 'awaiting_payment'
    | 'held'
    | 'authorised'
    | 'delivered'
    | 'completed'
    | 'written_off'
    | 'released'
  /** The card processor's payment page. */
  page: 'none' | 'open' | 'complete' | 'expired'
  hold: 'none' | 'held' | 'cancelled' | 'captured'
  /** Payments read at the processor that the card is held. */
  isHoldRead: boolean
  delivery: 'none' | 'waiting' | 'signed' | 'final' | 'failed' | 'stopped'
  /** Payments: its buyer withdraws it. */
  isWithdrawalRequested: boolean
  /** Catalog: the item is reserved for its order. */
  isReserved: boolean
  /** `payments.bid-released.v1` or `payments.order-line-released.v1`. */
  isReleasePublished: boolean
  /** `minting.delivery-final.v1` or `minting.delivery-failed.v1`, to payments. */
  isOutcomePublished: boolean
  /** `catalog.bid-ended.v1`. Only in the variant where it is more than a wake-up. */
  isVerdictPublished: boolean
}

/** How often the environment may still do what interferes. */
export type Interference = {
  /** A bank ends a hold. */
  lostHolds: number
  /** The token leaves the owner's wallet. */
  movedTokens: number
  /** A buyer's wallet refuses a delivery. */
  refusedDeliveries: number
  /** Somebody buys the work at its listed price. */
  purchases: number
}

/** One work and the offers for it. */
export type State = {
  token: 'owner' | 'buyer' | 'elsewhere'
  /** Catalog consumed that the token moved. */
  isMoveConsumed: boolean
  /** Catalog: the item is reserved for a purchase. */
  isBeingBought: boolean
  left: Interference
  offers: Offer[]
}

const noOffer: Offer = {
  catalog: 'none',
  line: 'none',
  page: 'none',
  hold: 'none',
  isHoldRead: false,
  delivery: 'none',
  isWithdrawalRequested: false,
  isReserved: false,
  isReleasePublished: false,
  isOutcomePublished: false,
  isVerdictPublished: false,
}

export const startWith = (offers: number, interference: Interference): State => ({
  token: 'owner',
  isMoveConsumed: false,
  isBeingBought: false,
  left: interference,
  offers: Array<Offer>(offers).fill(noOffer),
})

const keys = new WeakMap<Offer, string>()
function keyOfOffer(offer: Offer) {
  const known = keys.get(offer)
  if (known) return known
  const key = Object.values(offer).join()
  keys.set(offer, key)
  return key
}

/** Offers differ by nothing but their states: in whatever sequence they stand, it is the same state. */
export const keyOf = ({ token, isMoveConsumed, isBeingBought, left, offers }: State) =>
  [token, isMoveConsumed, isBeingBought, Object.values(left), ...offers.map(keyOfOffer).sort()].join(';')
