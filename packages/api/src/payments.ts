import { type Static, Type } from 'typebox'
import { responses } from './problem.ts'
import { Euros, Id, IsoDate } from './shapes.ts'

export const lineStates = [
  'placed',
  'awaiting_payment',
  'authorised',
  'delivering',
  'delivered',
  'capture_due',
  'completed',
  'released',
  'written_off',
  'refunded',
  'disputed',
] as const

export type LineState = (typeof lineStates)[number]
const LineState = Type.Enum(lineStates)

export type OrderLine = Static<typeof OrderLine>
export const OrderLine = Type.Object({
  _id: Id,
  itemId: Id,
  contract: Type.String(),
  identifier: Type.String(),
  name: Type.String(),
  image: Type.String(),
  sellerUsername: Type.Union([Type.String(), Type.Null()]),
  price: Euros,
  state: LineState,
  /** Why it was released: cancelled, expired or undeliverable. */
  reason: Type.Union([Type.String(), Type.Null()]),
  /** The delivering transaction, once there is one. */
  txHash: Type.Union([Type.String(), Type.Null()]),
})

/** One order. Its state is that of the line that still has the most to do. Newest timeline entry last. */
export type Order = Static<typeof Order>
export const Order = Type.Object({
  _id: Id,
  state: LineState,
  total: Euros,
  /** What the card was charged so far; nothing until a delivery is final. */
  captured: Euros,
  /** Where the tokens go. */
  wallet: Type.String(),
  termsVersion: Type.String(),
  createdAt: IsoDate,
  /** The processor's page, while the order awaits its payment. */
  url: Type.Union([Type.String(), Type.Null()]),
  /** When that page closes. */
  expiresAt: Type.Union([IsoDate, Type.Null()]),
  /** Not delivered by then: the hold is released by itself. */
  deliverBy: Type.Union([IsoDate, Type.Null()]),
  /** True while the buyer may still cancel. */
  cancellable: Type.Boolean(),
  lines: Type.Array(OrderLine),
  timeline: Type.Array(
    Type.Object({ state: LineState, at: IsoDate, itemId: Id, note: Type.Union([Type.String(), Type.Null()]) }),
  ),
})

/** `items` and `amount` are only compared with the listings; the client never sets a price. */
export const startPurchase = {
  body: Type.Object(
    {
      amount: Type.Unknown(),
      items: Type.Unknown(),
      /** The version of the terms that the buyer accepted; the one in force when absent. */
      termsVersion: Type.Optional(Type.String({ maxLength: 40 })),
    },
    { additionalProperties: true },
  ),
  response: responses({ 200: Type.Object({ success: Type.Literal(true), url: Type.String(), orderId: Id }) }),
}

const byId = Type.Object({ id: Id })

export const orders = { response: responses({ 200: Type.Object({ orders: Type.Array(Order) }) }) }
export const order = { params: byId, response: responses({ 200: Order }) }
export const cancelOrder = { params: byId, response: responses({ 200: Order }) }

/** A creator's book: what each completed line brought. */
export type Statement = Static<typeof Statement>
export const Statement = Type.Object({
  entries: Type.Array(
    Type.Object({
      lineId: Id,
      itemId: Id,
      name: Type.String(),
      at: IsoDate,
      kind: Type.Union([Type.Literal('sale'), Type.Literal('royalty')]),
      price: Euros,
      commission: Euros,
      royalty: Euros,
      /** What this entry pays out to the reader. */
      due: Euros,
      paidOutAt: Type.Union([IsoDate, Type.Null()]),
    }),
  ),
  due: Euros,
  paidOut: Euros,
})

/** `GET /api/orders/statement`. */
export const statement = { response: responses({ 200: Statement }) }
