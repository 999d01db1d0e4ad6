/** Internal endpoints for orders whose card is held before their sale is decided. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { offerDays } from '../offer-days.ts'
import { Cents, Id, IsoDate, Nullable } from '../shapes.ts'
import { ReservedLine } from './internal.ts'

/** Kinds of orders whose card is held before their sale is decided. */
export const bidKinds = ['offer', 'bid'] as const
export type BidKind = (typeof bidKinds)[number]

export type NewBid = Static<typeof beginBid.body>
export const beginBid = endpoint({
  summary: 'Begins an offer or a bid',
  description:
    'Before its payment page opens. Reserves nothing. Idempotent by order id. 403 `own_item`; 404 `item_not_found`; ' +
    '409 `no_offers`, `on_auction`, `auction_closed`, `too_low` with `details.minimum`, `unusual_amount`, ' +
    '`permit_too_short`, `offer_exists`, `order_over`, `order_differs`, and what a reservation refuses; 503 `offers_off`, `auctions_off`.',
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
    /** The price of an offer; the most that a bidder would pay. */
    limitCents: Cents,
    /** Of an offer; null: a bid. */
    days: Nullable(Type.Enum(offerDays)),
    /** The bidder has confirmed an amount that is unusual. */
    sure: Type.Optional(Type.Boolean()),
  }),
  /** `priceCents` of the line is the limit. */
  response: Type.Object({ line: ReservedLine }),
})

/**
 * `open`: not decided; a bid leads. `won`: the work is reserved for the order at `priceCents`. `ended`: `why`, and
 * nothing is reserved.
 */
export type BidState = Static<typeof BidState>
export const BidState = Type.Object({
  state: Type.Enum(['open', 'won', 'ended']),
  /** What the card is charged; null unless won. */
  priceCents: Nullable(Cents),
  /** Null unless ended. */
  why: Nullable(Type.String()),
  /** When an open offer ends by itself; null for a bid, which the end of its auction decides. */
  decideBy: Nullable(IsoDate),
  /** Of a bid; absent of an offer. */
  auctionId: Type.Optional(Id),
  /** Of a bid that leads: when its auction ends, unless late bids move that on. */
  endsAt: Type.Optional(IsoDate),
})

const byOrder = Type.Object({ orderId: Id })

export const placeBid = endpoint({
  summary: 'Lets an offer or a bid stand whose card is held, and returns its state',
  description: 'Idempotent, at any time. 404 `bid_not_found`: catalog was restored from a backup without it.',
  method: 'PUT',
  path: '/internal/bids/:orderId',
  access: 'service',
  callers: ['payments'],
  params: byOrder,
  body: Type.Object({
    /** When the card's bank ends the hold; null when the processor does not report it: then the order ends. */
    captureBefore: Nullable(IsoDate),
    /** When the card's bank confirmed the hold, as far as the processor reports it. */
    heldAt: Type.Optional(Nullable(IsoDate)),
  }),
  response: BidState,
})

export const withdrawBid = endpoint({
  summary: 'Ends an offer unless it was accepted, or a bid unless it stands',
  description:
    'Idempotent. Returns `won` for one that was accepted or has won, and `open` for a bid that leads, which is ' +
    'binding. 404 `bid_not_found`.',
  method: 'DELETE',
  path: '/internal/bids/:orderId',
  access: 'service',
  callers: ['payments'],
  params: byOrder,
  response: BidState,
})
