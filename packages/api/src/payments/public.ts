import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { EmailAddress, Euros, Id, IsoDate, Nullable, Price } from '../shapes.ts'
import { declineReasons } from './decline.ts'
import { lineStates } from './line-states.ts'
import { STATEMENT_PAGE_AT_MOST } from './statement-page.ts'

const LineState = Type.Enum(lineStates)

/** `offer`: its card is held until the owner of the work decides. `bid`: until the auction is decided. */
export const orderKinds = ['purchase', 'offer', 'bid'] as const
export type OrderKind = (typeof orderKinds)[number]

export type OrderLine = Static<typeof OrderLine>
export const OrderLine = Type.Object({
  _id: Id,
  itemId: Id,
  contract: Type.String(),
  identifier: Type.String(),
  name: Type.String(),
  image: Type.String(),
  sellerUsername: Nullable(Type.String()),
  price: Euros,
  state: LineState,
  /**
   * Why it was released: cancelled, expired or undeliverable; of an offer that was not accepted: lost, and the last
   * note of the timeline has why.
   */
  reason: Nullable(Type.String()),
  /** The delivering transaction, once there is one. */
  txHash: Nullable(Type.String()),
})

/** One order. Its state is that of the line that still has the most to do. Newest timeline entry last. */
export type Order = Static<typeof Order>
export const Order = Type.Object({
  _id: Id,
  kind: Type.Enum(orderKinds),
  state: LineState,
  /** What is charged if all of it is delivered; of an offer or a bid that is not decided, what is charged at most. */
  total: Euros,
  /** Of a bid, the most that its bidder would pay, which the card was held for; null for any other order. */
  limit: Nullable(Euros),
  /** What the card was charged so far; nothing until a delivery is final. */
  captured: Euros,
  /** Where the tokens go; null: into the store's custody for the buyer. */
  wallet: Nullable(Type.String()),
  /** Bought for another person. Its address and state are minting's (`listGifts`) once the card is held. */
  isGift: Type.Boolean(),
  /** What the buyer entered for the gift, of an order that is not paid yet. */
  gift: Type.Optional(Nullable(Type.Object({ email: Type.String(), text: Type.String() }))),
  termsVersion: Type.String(),
  createdAt: IsoDate,
  /** The processor's page, while the order awaits its payment. */
  url: Nullable(Type.String()),
  /** When that page closes. */
  expiresAt: Nullable(IsoDate),
  /** Not delivered by then: the hold is released by itself. */
  deliverBy: Nullable(IsoDate),
  /** Until when the owner can accept an offer whose card is held; null for any other order. */
  decideBy: Nullable(IsoDate),
  /** The auction of a bid, once its card is held and catalog has it; null before, and for any other order. */
  auctionId: Nullable(Id),
  /** Why the last card was declined, of an order that was never paid; null when none was. */
  declined: Nullable(Type.Enum(declineReasons)),
  /** True while the buyer may still cancel. */
  cancellable: Type.Boolean(),
  lines: Type.Array(OrderLine),
  timeline: Type.Array(Type.Object({ state: LineState, at: IsoDate, itemId: Id, note: Nullable(Type.String()) })),
})

/** `wallet`, the default: the linked one. `custody`: the store keeps the tokens for the account, without any wallet. */
export type DeliverTo = Static<typeof DeliverTo>
export const DeliverTo = Type.Enum(['wallet', 'custody'])

export const startPurchase = endpoint({
  summary: 'Buys works by card',
  description:
    '`items` and `amount` are only compared with the listings; the client never sets a price. Returns the order ' +
    'and the URL of the payment page. 400 `invalid_gift` beside the field, 429 `too_many_gifts` after ten in a ' +
    'day, or when its address has had the bought gifts of a day, 409 `order_is_gift` when `gift` is null and the ' +
    'unpaid order of these works is one.',
  method: 'POST',
  path: '/api/nfts/test',
  access: 'account',
  body: Type.Object(
    {
      amount: Type.Unknown(),
      items: Type.Unknown(),
      /** The version of the terms that the buyer accepted; the one in force when absent. */
      termsVersion: Type.Optional(Type.String({ maxLength: 40 })),
      deliverTo: Type.Optional(DeliverTo),
      /**
       * Only with `custody` and one item: the reader of the mail to this address claims the work. Null: none. Absent:
       * none, or that of the unpaid order that is continued.
       */
      gift: Type.Optional(
        Nullable(
          Type.Object({
            email: Type.String({ maxLength: 1_000 }),
            text: Type.Optional(Type.String({ maxLength: 10_000 })),
          }),
        ),
      ),
    },
    { additionalProperties: true },
  ),
  documented: {
    body: Type.Object({
      amount: Type.Number({ minimum: 0.5 }),
      items: Type.Array(Type.Object({ _id: Id, price: Price }), { minItems: 1, maxItems: 10 }),
      termsVersion: Type.Optional(Type.String({ maxLength: 40 })),
      deliverTo: Type.Optional(DeliverTo),
      gift: Type.Optional(Type.Object({ email: EmailAddress, text: Type.Optional(Type.String({ maxLength: 300 })) })),
    }),
  },
  response: Type.Object({ success: Type.Literal(true), url: Type.String(), orderId: Id }),
})

const byId = Type.Object({ id: Id })

export const listOrders = endpoint({
  summary: "Lists the caller's orders",
  description:
    '`purchases`, the default: also offers that were accepted and bids that won. `offers`: all offers and bids.',
  method: 'GET',
  path: '/api/orders',
  access: 'account',
  query: Type.Object({ kind: Type.Optional(Type.Enum(['purchases', 'offers'])) }),
  response: Type.Object({ orders: Type.Array(Order) }),
})
export const getOrder = endpoint({
  summary: "Returns one of the caller's orders",
  method: 'GET',
  path: '/api/orders/:id',
  access: 'account',
  params: byId,
  response: Order,
})
export const cancelOrder = endpoint({
  summary: 'Cancels an order that is not delivered yet, or withdraws an offer',
  description: 'While `cancellable` is true. 409 `delivery_started`, `offer_accepted`, `bid_binding`.',
  method: 'POST',
  path: '/api/orders/:id/cancel',
  access: 'account',
  params: byId,
  response: Order,
})

export type StatementEntry = Static<typeof StatementEntry>
export const StatementEntry = Type.Object({
  _id: Type.Integer(),
  lineId: Id,
  itemId: Id,
  name: Type.String(),
  at: IsoDate,
  kind: Type.Enum(['sale', 'royalty']),
  cause: Type.Enum(['capture', 'write_off', 'refund', 'dispute', 'assignment']),
  price: Euros,
  commission: Euros,
  royalty: Euros,
  /** What this entry pays out to the reader; negative when a refund or dispute took it back. */
  due: Euros,
  /** `waiting`: until `dueAt`. */
  status: Type.Enum(['paid', 'due', 'waiting', 'held_back']),
  /**
   * Why it is `held_back`, else null: the buyer's bank contests the payment, a refund is not assigned to its
   * lines or is under way, or the store has not decided who bears what was refunded or lost.
   */
  heldBecause: Nullable(
    Type.Enum(['disputed', 'fraud_warning', 'inquiry', 'not_assigned', 'refund_pending', 'undecided']),
  ),
  dueAt: IsoDate,
  paidOutAt: Nullable(IsoDate),
})

const entryPage = {
  entries: Type.Array(StatementEntry, { maxItems: STATEMENT_PAGE_AT_MOST }),
  /** Of the next page, for `after`; null on the last one. */
  next: Nullable(Type.String()),
}

/** A creator's books: the shares of each sale, and what refunds and disputes took from them. */
export type Statement = Static<typeof Statement>
export const Statement = Type.Object({
  /** With entries, newest first: `YYYY-MM`, in UTC. */
  months: Type.Array(Type.String()),
  /** Of the entries; null for an account without any. */
  month: Nullable(Type.String()),
  ...entryPage,
  /**
   * Can be paid out now, of all months, as the other sums. Negative: it was paid out before it was taken back, and the
   * next sales make up for it.
   */
  due: Euros,
  waiting: Euros,
  heldBack: Euros,
  paidOut: Euros,
})

const Month = Type.String({ pattern: '^20\\d{2}-(0[1-9]|1[0-2])$' })
const Cursor = Type.String({ pattern: '^[1-9]\\d{0,14}$' })

export const getStatement = endpoint({
  summary: "Returns a creator's books",
  description: 'The sums, and the newest entries of a month, by default the newest.',
  method: 'GET',
  path: '/api/orders/statement',
  access: 'account',
  query: Type.Object({ month: Type.Optional(Month) }),
  response: Statement,
})

export const listStatementEntries = endpoint({
  summary: 'Lists the entries of a month of the statement',
  description: '`after` is `next` of the page before: 400 `invalid_cursor` for another number.',
  method: 'GET',
  path: '/api/orders/statement/entries',
  access: 'account',
  query: Type.Object({
    month: Month,
    after: Type.Optional(Cursor),
    /** 1 to `STATEMENT_PAGE_AT_MOST`. */
    limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d{0,2}|1000)$' })),
  }),
  documented: {
    query: Type.Object({
      month: Month,
      after: Type.Optional(Cursor),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: STATEMENT_PAGE_AT_MOST })),
    }),
  },
  response: Type.Object(entryPage),
})

export const processorWebhook = endpoint({
  summary: 'Receives events of the card processor',
  description: 'The raw body is verified against the `stripe-signature` header.',
  method: 'POST',
  path: '/api/payments/webhook',
  access: 'public',
  consumes: 'application/octet-stream',
  response: Type.Object({ received: Type.Literal(true) }),
  hidden: true,
})
