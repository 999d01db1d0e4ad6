/** Internal endpoints for orders whose card is held before their sale is decided. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { offerDays } from '../offer-days.ts'
import { Cents, Id, IsoDate, Nullable } from '../shapes.ts'
import { ReservedLine } from './internal.ts'

/** Kinds of orders whose card is held before their sale is decided. */
export const bidKinds = ['offer'] as const

export type NewBid = Static<typeof beginBid.body>
export const beginBid = endpoint({
  summary: 'Begins an offer',
  description:
    'Before its payment page opens. Reserves nothing. Idempotent by order id. 403 `own_item`; 404 `item_not_found`; ' +
    '409 `no_offers`, `too_low` with `details.minimum`, `offer_exists`, `order_over`, `order_differs`, and what a ' +
    'reservation refuses; 503 `offers_off`.',
  method: 'POST',
  path: '/internal/bids',
  access: 'service',
  callers: ['payments'],
  body: Type.Object({
    orderId: Id,
    kind: Type.Enum(bidKinds),
    itemId: Id,
    buyerId: Id,
    /** Lower case; null: into custody. */
    buyerWallet: Nullable(Type.String()),
    /** The price of an offer. */
    limitCents: Cents,
    days: Type.Enum(offerDays),
  }),
  /** `priceCents` of the line is the limit. */
  response: Type.Object({ line: ReservedLine }),
})

/**
 * `open`: not decided. `won`: the work is reserved for the order at `priceCents`. `ended`: `why`, and nothing is
 * reserved.
 */
export type BidState = Static<typeof BidState>
export const BidState = Type.Object({
  state: Type.Enum(['open', 'won', 'ended']),
  /** What the card is charged; null unless won. */
  priceCents: Nullable(Cents),
  /** Null unless ended. */
  why: Nullable(Type.String()),
  /** When it ends by itself; null unless open. */
  decideBy: Nullable(IsoDate),
})

const byOrder = Type.Object({ orderId: Id })

export const placeBid = endpoint({
  summary: 'Lets an offer stand whose card is held, and returns its state',
  description: 'Idempotent, at any time. 404 `bid_not_found`: catalog was restored from a backup without it.',
  method: 'PUT',
  path: '/internal/bids/:orderId',
  access: 'service',
  callers: ['payments'],
  params: byOrder,
  /** When the card's bank ends the hold; null when the processor does not report it: then the offer ends. */
  body: Type.Object({ captureBefore: Nullable(IsoDate) }),
  response: BidState,
})

export const withdrawBid = endpoint({
  summary: 'Ends an offer, unless it was accepted',
  description: 'Idempotent. Returns `won` for one that was accepted before. 404 `bid_not_found`.',
  method: 'DELETE',
  path: '/internal/bids/:orderId',
  access: 'service',
  callers: ['payments'],
  params: byOrder,
  response: BidState,
})
