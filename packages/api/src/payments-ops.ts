/** What payments answers to operators: on its internal port, for `pnpm ops`. Amounts are euros. */
import { type Static, Type } from 'typebox'
import { Order } from './payments.ts'
import { responses } from './problem.ts'
import { Euros, Id, IsoDate } from './shapes.ts'

const Nullable = <Schema extends ReturnType<typeof Type.String>>(schema: Schema) => Type.Union([schema, Type.Null()])

/** Every action says who does it and why; both are kept. */
const signed = {
  who: Type.String({ minLength: 1, maxLength: 200 }),
  why: Type.String({ minLength: 1, maxLength: 500 }),
}

const Alarm = Type.Object({
  name: Type.String(),
  subject: Type.String(),
  orderId: Nullable(Type.String()),
  detail: Type.String(),
  times: Type.Integer(),
  firstAt: IsoDate,
  lastAt: IsoDate,
})

/** `GET /internal/ops/orders`: what is not over yet, oldest first, and every alarm of the last 30 days. */
export type OpenOrders = Static<typeof OpenOrders>
export const OpenOrders = Type.Object({
  orders: Type.Array(
    Type.Object({
      _id: Id,
      buyerId: Id,
      state: Type.String(),
      money: Type.String(),
      total: Euros,
      since: IsoDate,
      cancelRequestedBy: Nullable(Type.String()),
      failures: Type.Integer(),
      alarms: Type.Array(Type.String()),
    }),
  ),
  alarms: Type.Array(Alarm),
  /** Orders by state, all of them. */
  counts: Type.Record(Type.String(), Type.Integer()),
})
export const openOrders = { response: responses({ 200: OpenOrders }) }

/** `GET /internal/ops/orders/{id}`: all that payments knows of one order. */
export type OrderStory = Static<typeof OrderStory>
export const OrderStory = Type.Object({
  order: Order,
  buyerId: Id,
  money: Type.String(),
  held: Euros,
  sessionId: Nullable(Type.String()),
  intentId: Nullable(Type.String()),
  cancelRequestedBy: Nullable(Type.String()),
  alarms: Type.Array(Alarm),
  events: Type.Array(
    Type.Object({ eventId: Type.String(), type: Type.String(), receivedAt: IsoDate, outcome: Nullable(Type.String()) }),
  ),
  refunds: Type.Array(
    Type.Object({
      lineId: Id,
      amount: Euros,
      state: Type.String(),
      error: Nullable(Type.String()),
      requestedAt: IsoDate,
    }),
  ),
  disputes: Type.Array(
    Type.Object({ id: Type.String(), kind: Type.String(), status: Type.String(), reason: Nullable(Type.String()) }),
  ),
  actions: Type.Array(Type.Object({ action: Type.String(), who: Type.String(), why: Type.String(), at: IsoDate })),
})
export const orderStory = { params: Type.Object({ id: Id }), response: responses({ 200: OrderStory }) }

/** `POST /internal/ops/refund`: one completed line, whole. Repeated, it answers the same refund. */
export const refund = {
  body: Type.Object({ lineId: Id, ...signed }),
  response: responses({
    200: Type.Object({ lineId: Id, amount: Euros, state: Type.String(), error: Nullable(Type.String()) }),
  }),
}

/** `POST /internal/ops/release`: ends an order as far as nothing of it is signed; 409 `delivery_started` otherwise. */
export const release = {
  body: Type.Object({ orderId: Id, ...signed }),
  response: responses({ 200: Order }),
}

/** `GET /internal/ops/payouts`: what each account is owed. */
export type Payouts = Static<typeof Payouts>
export const Payouts = Type.Object({
  due: Type.Array(Type.Object({ userId: Id, username: Nullable(Type.String()), due: Euros, entries: Type.Integer() })),
  paid: Type.Array(
    Type.Object({ payoutId: Id, userId: Id, amount: Euros, who: Type.String(), why: Type.String(), at: IsoDate }),
  ),
})
export const payouts = { response: responses({ 200: Payouts }) }

/**
 * `POST /internal/ops/payouts`: everything that the account is owed was paid. `payoutId` is the caller's: the same one
 * again answers the same. 409 `amount_differs` when more was sold meanwhile.
 */
export const payOut = {
  body: Type.Object({ payoutId: Id, userId: Id, amount: Euros, ...signed }),
  response: responses({ 200: Type.Object({ payoutId: Id, userId: Id, amount: Euros, at: IsoDate }) }),
}

/** `GET /internal/ops/reconcile`: our books beside the processor's, cents. `differences` is empty when all is well. */
export type Reconciliation = Static<typeof Reconciliation>
export const Reconciliation = Type.Object({
  balanced: Type.Boolean(),
  ours: Type.Object({
    heldCents: Type.Integer(),
    capturedCents: Type.Integer(),
    releasedCents: Type.Integer(),
    inFlightCents: Type.Integer(),
    bookedCents: Type.Integer(),
  }),
  processor: Type.Object({
    heldCents: Type.Integer(),
    capturedCents: Type.Integer(),
    releasedCents: Type.Integer(),
    inFlightCents: Type.Integer(),
  }),
  differences: Type.Array(
    Type.Object({ orderId: Nullable(Type.String()), intentId: Nullable(Type.String()), what: Type.String() }),
  ),
})
export const reconcile = { response: responses({ 200: Reconciliation }) }

/** `GET /internal/ops/arrived`: lines whose token is the buyer's, whatever became of the money since. */
export type ArrivedLines = Static<typeof ArrivedLines>
export const ArrivedLines = Type.Object({ lineIds: Type.Array(Id) })
export const arrivedLines = { response: responses({ 200: ArrivedLines }) }

/** `POST /internal/ops/reconciled`: what a comparison of books, processor and chain found; kept for the figures. */
export const reconciled = {
  body: Type.Object({ differences: Type.Integer({ minimum: 0 }) }, { additionalProperties: false }),
  response: responses({ 200: Type.Object({ balanced: Type.Boolean() }) }),
}
