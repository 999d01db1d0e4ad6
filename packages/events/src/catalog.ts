import { Type } from 'typebox'
import { defineEvent } from './define-event.ts'
import { At, Cents, Id, MAX_NEWS_ACCOUNTS, Token } from './shapes.ts'

/** A listing begins; a new price of a listed item is none. */
export const itemListed = defineEvent({
  name: 'catalog.item-listed.v1',
  key: 'itemId',
  consumers: ['minting'],
  data: Type.Object({
    itemId: Id,
    token: Token,
    sellerId: Id,
    priceCents: Cents,
    listingVersion: Type.Integer(),
    at: At,
  }),
})

/** A listing ended. */
export const itemDelisted = defineEvent({
  name: 'catalog.item-delisted.v1',
  key: 'itemId',
  consumers: ['minting'],
  data: Type.Object({
    itemId: Id,
    token: Token,
    /** `undeliverable`: the chain refuses its delivery; `account`: its owner may not sell it; `operator`: hidden. */
    reason: Type.Union([
      Type.Literal('owner'),
      Type.Literal('sold'),
      Type.Literal('undeliverable'),
      Type.Literal('account'),
      Type.Literal('operator'),
    ]),
    at: At,
  }),
})

const Work = {
  itemId: Id,
  contract: Type.String(),
  identifier: Type.String(),
  name: Type.String(),
  image: Type.String(),
}

/** The work of an offer or a bid, and what is offered; of a bid the most that its bidder would pay. */
const Offer = { orderId: Id, ...Work, priceCents: Cents }

/**
 * An offer was accepted or a bid has won (`won`), or it ended (`lost`). Payments only reads from it that there is
 * something to ask catalog for. Once per outcome. An accepted one ends afterwards, as `lost`, when payments released it
 * before it had read of the acceptance; one whose delivery fails is a released order line.
 */
export const bidEnded = defineEvent({
  name: 'catalog.bid-ended.v1',
  key: 'orderId',
  consumers: ['auth', 'payments', 'notification'],
  data: Type.Object({
    ...Offer,
    kind: Type.Union([Type.Literal('offer'), Type.Literal('bid')]),
    buyerId: Id,
    ownerId: Id,
    /**
     * Of a bid: `priceCents` is what the winner pays, or what the leader would pay now; null without one. `why`: of a
     * void auction, as in `auction-ended`.
     */
    auction: Type.Optional(
      Type.Object({
        auctionId: Id,
        priceCents: Type.Union([Cents, Type.Null()]),
        endsAt: Type.Union([At, Type.Null()]),
        why: Type.Optional(Type.String()),
      }),
    ),
    outcome: Type.Union([Type.Literal('won'), Type.Literal('lost')]),
    /**
     * Of a lost one: declined, withdrawn, expired, sold, moved, hidden, account, undeliverable, hold_too_short,
     * not_held, hold_lost, operator, dispute, undecided. Of a bid also outbid, raised (by its own bidder), too_low,
     * too_late, late_by_us, cancelled, void, failed. Others may follow.
     */
    why: Type.Optional(Type.String()),
    /** Its card was held: the buyer had an offer, and not only a payment page. */
    wasHeld: Type.Boolean(),
    at: At,
  }),
})

/** The card of an offer is held: its owner can accept or decline it. */
export const offerReceived = defineEvent({
  name: 'catalog.offer-received.v1',
  key: 'itemId',
  consumers: ['notification'],
  data: Type.Object({ ...Offer, buyerId: Id, ownerId: Id, endsAt: At, at: At }),
})

/**
 * A bid leads its auction and is binding, until `bid-ended`, or until its order is authorised or released. Also of the
 * bid by which the leader raises the own maximum.
 */
export const bidLeads = defineEvent({
  name: 'catalog.bid-leads.v1',
  key: 'orderId',
  consumers: ['auth'],
  data: Type.Object({
    orderId: Id,
    auctionId: Id,
    name: Type.String(),
    buyerId: Id,
    ownerId: Id,
    /** No bid moves the end of the auction beyond it. */
    latestEndAt: At,
    at: At,
  }),
})

/** The first bid of an auction stands. */
export const auctionBidReceived = defineEvent({
  name: 'catalog.auction-bid-received.v1',
  key: 'itemId',
  consumers: ['notification'],
  data: Type.Object({ auctionId: Id, ...Work, sellerId: Id, priceCents: Cents, endsAt: At, at: At }),
})

/** An auction is decided, or ended otherwise. Once per outcome: `failed` follows `awarded`. */
export const auctionEnded = defineEvent({
  name: 'catalog.auction-ended.v1',
  key: 'itemId',
  consumers: ['notification'],
  data: Type.Object({
    auctionId: Id,
    ...Work,
    sellerId: Id,
    /** `awarded`: the delivery to the winner begins. `void`: `why`. `failed`: the winner was not charged. */
    outcome: Type.Union([
      Type.Literal('awarded'),
      Type.Literal('unsold'),
      Type.Literal('cancelled'),
      Type.Literal('void'),
      Type.Literal('failed'),
    ]),
    /** Of a void one: moved, hidden, account, undeliverable, operator. Others may follow. */
    why: Type.Optional(Type.String()),
    /** What the winner pays; null without one. */
    priceCents: Type.Union([Cents, Type.Null()]),
    bids: Type.Integer(),
    at: At,
  }),
})

/** An operator hid an item; its owner gets a mail with the reason. */
export const itemHidden = defineEvent({
  name: 'catalog.item-hidden.v1',
  key: 'itemId',
  consumers: ['notification'],
  data: Type.Object({ itemId: Id, userId: Id, name: Type.String(), reason: Type.String(), at: At }),
})

/** An item was listed below half of its listed or paid prices of 90 days; cents. Its owner gets a mail. */
export const unusualPriceListed = defineEvent({
  name: 'catalog.unusual-price-listed.v1',
  key: 'itemId',
  consumers: ['auth'],
  data: Type.Object({
    itemId: Id,
    userId: Id,
    name: Type.String(),
    priceCents: Cents,
    formerCents: Cents,
    at: At,
  }),
})

/**
 * The seller delists a reserved item. Applied only if payments can still expire the open session. `suspended`: the
 * seller's account was frozen or suspended; a paid order ends too, unless its delivery is signed.
 */
export const delistRequested = defineEvent({
  name: 'catalog.delist-requested.v1',
  key: 'itemId',
  consumers: ['payments'],
  data: Type.Object({ itemId: Id, orderId: Id, suspended: Type.Optional(Type.Literal(true)), at: At }),
})

/**
 * What happened to an item, for accounts that marked it as a favourite (`cheaper`, `sold`, `available`) or follow its
 * artist (`listed`). One change is published in several events when more than 500 accounts are concerned.
 */
export const itemNews = defineEvent({
  name: 'catalog.item-news.v1',
  key: 'itemId',
  consumers: ['notification'],
  data: Type.Object({
    itemId: Id,
    contract: Type.String(),
    identifier: Type.String(),
    name: Type.String(),
    /** Name of the artist; null if the account is deleted. */
    artist: Type.Union([Type.String(), Type.Null()]),
    artistId: Type.Optional(Id),
    what: Type.Union([
      Type.Literal('cheaper'),
      Type.Literal('sold'),
      Type.Literal('available'),
      Type.Literal('listed'),
    ]),
    /** The price now; null for a sale. */
    priceCents: Type.Union([Cents, Type.Null()]),
    userIds: Type.Array(Id, { minItems: 1, maxItems: MAX_NEWS_ACCOUNTS }),
    at: At,
  }),
})

/**
 * Of an auction of a favourite: it began, or ends within an hour; also for those who bid in it (`bidders`). For its
 * former bidders, whose holds were given back: the leader's hold was lost, and it is open again (`reopened`). In
 * portions of accounts, as `item-news`.
 */
export const auctionNews = defineEvent({
  name: 'catalog.auction-news.v1',
  key: 'itemId',
  consumers: ['notification'],
  data: Type.Object({
    auctionId: Id,
    ...Work,
    /** Name of the artist; null if the account is deleted. */
    artist: Type.Union([Type.String(), Type.Null()]),
    what: Type.Union([Type.Literal('began'), Type.Literal('ends'), Type.Literal('reopened')]),
    /** The opening price, or the price now. */
    priceCents: Cents,
    endsAt: Type.Union([At, Type.Null()]),
    userIds: Type.Array(Id, { minItems: 1, maxItems: MAX_NEWS_ACCOUNTS }),
    /** Of `ends`: these accounts bid in the auction. `leaderId`: the account of the leading bid; null without one. */
    bidders: Type.Optional(Type.Object({ leaderId: Type.Union([Id, Type.Null()]) })),
    at: At,
  }),
})
