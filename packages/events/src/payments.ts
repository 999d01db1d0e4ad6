import { Type } from 'typebox'
import { defineEvent } from './define-event.ts'
import { Address, At, Cents, Id, Token } from './shapes.ts'

/** One item of an order: an immutable snapshot from the time of the order. */
export const OrderLine = {
  orderId: Id,
  lineId: Id,
  itemId: Id,
  token: Token,
  name: Type.String(),
  /** Path of the picture below the store's address, such as `/uploads/nfts/…`. */
  image: Type.Optional(Type.String()),
  buyerId: Id,
  sellerId: Id,
  priceCents: Cents,
  at: At,
}

/** For whom a line was bought: where the link to claim it is mailed, and what its buyer writes. */
const GiftTo = Type.Object({ email: Type.String(), text: Type.String() })

/** The card hold of the order exists: minting delivers the token. */
export const orderLineAuthorised = defineEvent({
  name: 'payments.order-line-authorised.v1',
  key: 'orderId',
  consumers: ['auth', 'catalog', 'minting', 'notification'],
  data: Type.Object({
    ...OrderLine,
    /** The recipient of the token: the buyer's wallet at the time of the order; with `custody` the zero address. */
    wallet: Address,
    /** The store keeps the token for the buyer. */
    custody: Type.Optional(Type.Literal(true)),
    /** SHA-256 of the card's fingerprint, hex, where the processor has one: the same for the same card. */
    card: Type.Optional(Type.String()),
    /** Bought into custody for another person: the link to claim it is mailed there once the line is completed. */
    gift: Type.Optional(GiftTo),
    /** After this time the delivery is cancelled on the chain and the hold released. */
    deliverBy: At,
  }),
})

/** A work of an order, in the sequence of the cart. */
const OrderedWork = Type.Object({
  lineId: Id,
  itemId: Id,
  token: Token,
  name: Type.String(),
  image: Type.Optional(Type.String()),
  priceCents: Cents,
})

/** The card hold of the whole order exists: notification confirms the order to its buyer. Once per order. */
export const orderAuthorised = defineEvent({
  name: 'payments.order-authorised.v1',
  key: 'orderId',
  consumers: ['notification'],
  data: Type.Object({
    orderId: Id,
    buyerId: Id,
    works: Type.Array(OrderedWork),
    totalCents: Cents,
    /** As in `order-line-authorised`. */
    wallet: Address,
    custody: Type.Optional(Type.Literal(true)),
    /** The work is for somebody else, who claims it with a mailed link. */
    isGift: Type.Optional(Type.Boolean()),
    /** An offer that was accepted, or a bid that has won; absent of a purchase. */
    kind: Type.Optional(Type.Union([Type.Literal('offer'), Type.Literal('bid')])),
    /** Of an offer or a bid: what the card holds. More than the total of a bid that won below its maximum. */
    heldCents: Type.Optional(Cents),
    deliverBy: At,
    termsVersion: Type.String(),
    at: At,
  }),
})

/**
 * The card of an offer or a bid is held, and catalog has it as open or leading: notification mails its buyer what is
 * held. Once per order, and once more after its order was rebuilt.
 */
export const bidHeld = defineEvent({
  name: 'payments.bid-held.v1',
  key: 'orderId',
  consumers: ['notification'],
  data: Type.Object({
    orderId: Id,
    itemId: Id,
    kind: Type.Union([Type.Literal('offer'), Type.Literal('bid')]),
    buyerId: Id,
    token: Token,
    name: Type.String(),
    image: Type.Optional(Type.String()),
    /** What is held: the price of an offer, the most that a bidder would pay. */
    priceCents: Cents,
    /** When the offer ends by itself, or the auction as it was then; null: catalog did not return it. */
    endsAt: Type.Union([At, Type.Null()]),
    at: At,
  }),
})

/**
 * An offer or a bid ended at payments, which had not read that it was accepted or has won: its hold was lost or given
 * back, or its page was not paid. Catalog ends it, also if it was accepted.
 */
export const bidReleased = defineEvent({
  name: 'payments.bid-released.v1',
  key: 'orderId',
  consumers: ['auth', 'catalog', 'notification'],
  data: Type.Object({
    orderId: Id,
    lineId: Id,
    itemId: Id,
    kind: Type.Union([Type.Literal('offer'), Type.Literal('bid')]),
    /**
     * `not_held`: not paid. `hold_lost`: the hold was ended by the card's bank, or at the processor. `operator`,
     * `dispute`, `account`: requested. `undecided`: open after its end, or catalog did not respond. `bid_not_found`:
     * catalog does not have it. Any other is the reason of `bid-ended`, for which catalog had ended it.
     */
    why: Type.String(),
    /** Its card was held: what notification mails the buyer, also where catalog has not read of the hold. */
    held: Type.Optional(
      Type.Object({
        buyerId: Id,
        token: Token,
        name: Type.String(),
        image: Type.Optional(Type.String()),
        /** What was held: the price of an offer, the most that a bidder would pay. */
        priceCents: Cents,
      }),
    ),
    at: At,
  }),
})

/**
 * The payment page of an order ended unpaid after its last card was declined: nothing was held. Not published when the
 * buyer cancelled. Once per order.
 */
export const orderPaymentFailed = defineEvent({
  name: 'payments.order-payment-failed.v1',
  key: 'orderId',
  consumers: ['notification'],
  data: Type.Object({
    orderId: Id,
    buyerId: Id,
    works: Type.Array(OrderedWork),
    totalCents: Cents,
    /** One of `declineReasons` (packages/api). */
    declined: Type.String(),
    at: At,
  }),
})

/** The line was delivered and its share of the hold captured. */
export const orderLineCompleted = defineEvent({
  name: 'payments.order-line-completed.v1',
  key: 'orderId',
  consumers: ['auth', 'minting', 'notification'],
  data: Type.Object({
    ...OrderLine,
    sellerCents: Cents,
    commissionCents: Cents,
    royaltyCents: Cents,
    txHash: Type.String(),
    /** The store keeps the token for the buyer. */
    custody: Type.Optional(Type.Literal(true)),
    /** Bought for another person. */
    gift: Type.Optional(Type.Literal(true)),
    /** As in `order-line-authorised`, which a process of a release without gifts may have consumed. */
    giftTo: Type.Optional(GiftTo),
  }),
})

/**
 * The line was delivered, and its hold lapsed before it was captured: the buyer is not charged, and its seller is paid.
 */
export const orderLineWrittenOff = defineEvent({
  name: 'payments.order-line-written-off.v1',
  key: 'orderId',
  consumers: ['auth', 'minting', 'notification'],
  data: Type.Object({
    ...OrderLine,
    sellerCents: Cents,
    txHash: Type.String(),
    /** The store keeps the token for the buyer. */
    custody: Type.Optional(Type.Literal(true)),
    /** Bought for another person. */
    gift: Type.Optional(Type.Literal(true)),
    /** As in `order-line-authorised`, which a process of a release without gifts may have consumed. */
    giftTo: Type.Optional(GiftTo),
  }),
})

/** The line is not charged. Catalog releases the item, minting cancels its delivery, notification mails the buyer. */
export const orderLineReleased = defineEvent({
  name: 'payments.order-line-released.v1',
  key: 'orderId',
  consumers: ['auth', 'catalog', 'minting', 'notification'],
  data: Type.Object({
    ...OrderLine,
    reason: Type.Union([Type.Literal('cancelled'), Type.Literal('expired'), Type.Literal('undeliverable')]),
    /** True when a card hold existed, which is released with the line. */
    moneyWasHeld: Type.Boolean(),
  }),
})

/**
 * The order ended before the outcome of its reservation arrived, so only these ids exist. Only catalog consumes it: it
 * releases the order's reservation, and refuses one that arrives later.
 */
export const orderLineAbandoned = defineEvent({
  name: 'payments.order-line-abandoned.v1',
  key: 'orderId',
  consumers: ['catalog'],
  data: Type.Object({ orderId: Id, lineId: Id, itemId: Id, at: At }),
})

/**
 * A refund of the line, or of a part of its price, succeeded. The buyer keeps the token, and the seller's share is held
 * back.
 */
export const orderLineRefunded = defineEvent({
  name: 'payments.order-line-refunded.v1',
  key: 'orderId',
  consumers: ['minting', 'notification'],
  /**
   * `refundId`: the processor's; a line may have several refunds. `delivered`: false for a line that was captured and
   * not delivered, of which its seller has no share. `whole`: with this refund all that was captured is refunded.
   */
  data: Type.Object({
    ...OrderLine,
    refundId: Type.Optional(Type.String()),
    refundedCents: Cents,
    delivered: Type.Optional(Type.Boolean()),
    whole: Type.Optional(Type.Boolean()),
  }),
})

/** The buyer's bank did not accept a refund, perhaps after it had succeeded. */
export const orderLineRefundFailed = defineEvent({
  name: 'payments.order-line-refund-failed.v1',
  key: 'orderId',
  consumers: ['notification'],
  data: Type.Object({ ...OrderLine, refundId: Type.String(), refundedCents: Cents }),
})

/**
 * An operator decided who bears what a refund or a dispute took from the line: `platform` makes the seller's share due,
 * `seller` reverses it.
 */
export const orderLineLossAssigned = defineEvent({
  name: 'payments.order-line-loss-assigned.v1',
  key: 'orderId',
  consumers: ['notification'],
  data: Type.Object({
    ...OrderLine,
    reversalId: Type.String(),
    kind: Type.Union([Type.Literal('refund'), Type.Literal('dispute')]),
    borneBy: Type.Union([Type.Literal('platform'), Type.Literal('seller')]),
    lostCents: Cents,
  }),
})

/**
 * The cardholder's bank contests the payment of the line: an inquiry, a dispute or an early warning of fraud. While the
 * buyer owns the work, it is neither withdrawn nor offered. `at` grows with each change of a line: an event that is
 * older than the last one of its line changes nothing.
 */
export const orderLineContested = defineEvent({
  name: 'payments.order-line-contested.v1',
  key: 'orderId',
  consumers: ['catalog', 'minting'],
  data: Type.Object(OrderLine),
})

/**
 * The cardholder's bank took the payment of the line back by a dispute (`opened`), or decided the dispute for the store
 * (`won`). Once per dispute, line and stage.
 */
export const orderLineDisputed = defineEvent({
  name: 'payments.order-line-disputed.v1',
  key: 'orderId',
  consumers: ['notification'],
  data: Type.Object({
    ...OrderLine,
    reversalId: Type.String(),
    stage: Type.Union([Type.Literal('opened'), Type.Literal('won')]),
  }),
})

/** The payment of the line is contested no more: the bank, or an operator, decided for it. */
export const orderLineCleared = defineEvent({
  name: 'payments.order-line-cleared.v1',
  key: 'orderId',
  consumers: ['catalog', 'minting'],
  data: Type.Object(OrderLine),
})
