/** One bid as each system has it, and what is published and not consumed yet. */
export type Bid = {
  /** `too_late` and `late_by_us`: ended without a decision about it; the second one is reported to operators. */
  catalog: 'none' | 'started' | 'leading' | 'won' | 'ended' | 'too_late' | 'late_by_us'
  /** Catalog applied the price rule to it. */
  hasStood: boolean
  /** Its bank confirmed it at most three minutes after the end. */
  isInTime: boolean
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
  /** `lost`: not at the request of payments. */
  hold: 'none' | 'held' | 'cancelled' | 'lost' | 'captured'
  /** What was captured, euros. */
  charged: number
  /** Payments read at the processor that the card is held. */
  isHoldRead: boolean
  delivery: 'none' | 'waiting' | 'signed' | 'final' | 'failed' | 'stopped'
  /** Catalog: the item is reserved for its order. */
  isReserved: boolean
  /** `payments.bid-released.v1` or `payments.order-line-released.v1`. */
  isReleasePublished: boolean
  /** `minting.delivery-final.v1` or `minting.delivery-failed.v1`, to payments. */
  isOutcomePublished: boolean
  /** `catalog.bid-ended.v1`. Only in the variant where it is more than a wake-up. */
  isVerdictPublished: boolean
}

/** The most that each bid would pay, euros, and who bids: the third one is by the bidder of the first one. */
export const limits = [100, 120, 150] as const
export const bidders = ['Ada', 'Ben', 'Ada'] as const
export const OPENING = 50
export const STEP = 5

/** How often the environment may still do what interferes. */
export type Interference = {
  /** A bank ends a hold. */
  lostHolds: number
  /** The token leaves the seller's wallet. */
  movedTokens: number
  /** A winner's wallet refuses a delivery. */
  refusedDeliveries: number
  /** Somebody buys the work at a listed price, once it can be listed again. */
  purchases: number
}

/** One work, its auction and the bids in it. */
export type State = {
  token: 'seller' | 'winner' | 'elsewhere'
  /** Catalog consumed that the token moved. */
  isMoveConsumed: boolean
  /** Catalog: the item is reserved for a purchase. */
  isBeingBought: boolean
  /** `void`: also cancelled by its seller. */
  auction: 'open' | 'awarded' | 'sold' | 'unsold' | 'void' | 'failed'
  /** `grace`: no bid begins, and banks confirm those that began. `over`: the three minutes are over. */
  clock: 'running' | 'grace' | 'over'
  /** How often the end can still move, before the latest one. */
  extensions: number
  /** What the leader would pay, or the winner pays, euros. */
  price: number
  left: Interference
  bids: Bid[]
}

const noBid: Bid = {
  catalog: 'none',
  hasStood: false,
  isInTime: false,
  line: 'none',
  page: 'none',
  hold: 'none',
  charged: 0,
  isHoldRead: false,
  delivery: 'none',
  isReserved: false,
  isReleasePublished: false,
  isOutcomePublished: false,
  isVerdictPublished: false,
}

export const startWith = (bids: 2 | 3, interference: Interference): State => ({
  token: 'seller',
  isMoveConsumed: false,
  isBeingBought: false,
  auction: 'open',
  clock: 'running',
  extensions: 1,
  price: OPENING,
  left: interference,
  bids: Array<Bid>(bids).fill(noBid),
})

const keys = new WeakMap<Bid, string>()
function keyOfBid(bid: Bid) {
  const known = keys.get(bid)
  if (known) return known
  const key = Object.values(bid).join()
  keys.set(bid, key)
  return key
}

export const keyOf = ({ left, bids, ...state }: State) =>
  [...Object.values(state), Object.values(left), ...bids.map(keyOfBid)].join(';')
