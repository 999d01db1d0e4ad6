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

/** The work of an offer, and what is offered. */
const Offer = {
  orderId: Id,
  itemId: Id,
  contract: Type.String(),
  identifier: Type.String(),
  name: Type.String(),
  image: Type.String(),
  priceCents: Cents,
}

/**
 * An offer was accepted (`won`) or ended (`lost`). Payments only reads from it that there is something to ask catalog
 * for. Once per outcome. An accepted one ends afterwards, as `lost`, when payments released it before it had read of
 * the acceptance; one whose delivery fails is a released order line.
 */
export const bidEnded = defineEvent({
  name: 'catalog.bid-ended.v1',
  key: 'orderId',
  consumers: ['payments', 'notification'],
  data: Type.Object({
    ...Offer,
    kind: Type.Literal('offer'),
    buyerId: Id,
    ownerId: Id,
    outcome: Type.Union([Type.Literal('won'), Type.Literal('lost')]),
    /**
     * Of a lost one: declined, withdrawn, expired, sold, moved, hidden, account, undeliverable, hold_too_short,
     * not_held, hold_lost, operator, dispute, undecided. Others may follow.
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
