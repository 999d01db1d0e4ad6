/** Operators' endpoints of payments, on its internal port, for `pnpm ops`. Amounts in euros. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Acknowledgement, acknowledgedUntil, Euros, Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'
import { Alarm } from './alarms.ts'
import { Reversal } from './ops-money.ts'
import { OrderNote } from './order-search.ts'
import { Order, orderKinds } from './public.ts'

/**
 * `GET /internal/ops/orders`: what is not over yet, oldest first, without offers that wait for their owner, and every
 * alarm of the last 30 days.
 */
export type OpenOrders = Static<typeof OpenOrders>
export const OpenOrders = Type.Object({
  orders: Type.Array(
    Type.Object({
      _id: Id,
      kind: Type.Enum(orderKinds),
      buyerId: Id,
      state: Type.String(),
      money: Type.String(),
      total: Euros,
      since: IsoDate,
      /** When the card ends the hold; null without a hold. */
      holdEndsAt: Nullable(IsoDate),
      cancelRequestedBy: Nullable(Type.String()),
      failures: Type.Integer(),
      alarms: Type.Array(Type.String()),
    }),
  ),
  alarms: Type.Array(Alarm),
  /** Refunds and lost disputes without a bearer, oldest first, at most 500. */
  undecided: Type.Array(
    Type.Object({ id: Type.String(), kind: Type.String(), orderId: Id, withdrawn: Euros, since: IsoDate }),
  ),
  /** Lines that are not final, by state. */
  openLines: Type.Array(Type.Object({ name: Type.String(), count: Type.Integer() })),
})
export const listOpenOrders = endpoint({
  summary: 'Lists open orders',
  method: 'GET',
  path: '/internal/ops/orders',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  response: OpenOrders,
})

/** Everything that payments has stored about one order. */
export type OrderHistory = Static<typeof OrderHistory>
export const OrderHistory = Type.Object({
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
  reversals: Type.Array(Reversal),
  /** The books of its lines, oldest first. */
  entries: Type.Array(
    Type.Object({
      lineId: Id,
      kind: Type.String(),
      cause: Type.String(),
      userId: Nullable(Id),
      amount: Euros,
      at: IsoDate,
      payoutId: Nullable(Id),
    }),
  ),
  actions: Type.Array(
    Type.Object({ action: Type.String(), operator: Type.String(), reason: Type.String(), at: IsoDate }),
  ),
  notes: Type.Array(OrderNote),
})
export const getOrderHistory = endpoint({
  summary: 'Returns an order with its history',
  method: 'GET',
  path: '/internal/ops/orders/:id',
  access: 'operator',
  role: 'support',
  alsoFor: ['money'],
  confirm: 'never',
  params: Type.Object({ id: Id }),
  response: OrderHistory,
})

export const refundLine = endpoint({
  summary: 'Refunds all that is left of one captured line',
  description: 'Idempotent by line id. 409 `not_refundable` or `lines_not_named`.',
  method: 'POST',
  path: '/internal/ops/refund',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({ lineId: Id, ...operatorAction }),
  response: Type.Object({ lineId: Id, amount: Euros, state: Type.String(), error: Nullable(Type.String()) }),
})

export const cancelOrder = endpoint({
  summary: 'Cancels what of an order no block has',
  description: '409 `delivery_started` when a block has all of it.',
  method: 'POST',
  path: '/internal/ops/cancel',
  access: 'operator',
  role: 'support',
  confirm: 'always',
  body: Type.Object({ orderId: Id, ...operatorAction }),
  response: Order,
})

export const freeItem = endpoint({
  summary: 'Frees a work that is reserved for no open order',
  description:
    'For an order which payments does not have, or has released. 404 `not_reserved`, 409 `item_in_order` while ' +
    'its order is open or has sold it.',
  method: 'POST',
  path: '/internal/ops/freed-items',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  body: Type.Object({ itemId: Id, ...operatorAction }),
  response: Type.Object({ orderId: Id }),
})

const ReconciledSums = Type.Object({
  heldCents: Type.Integer(),
  capturedCents: Type.Integer(),
  releasedCents: Type.Integer(),
  inFlightCents: Type.Integer(),
  /** From the captured, by refunds and disputes. */
  withdrawnCents: Type.Integer(),
})

const Difference = Type.Object({
  kind: Type.String(),
  subject: Type.String(),
  orderId: Nullable(Type.String()),
  intentId: Nullable(Type.String()),
  detail: Type.String(),
  foundAt: IsoDate,
})

const AcknowledgedDifference = Type.Object({ ...Difference.properties, acknowledged: Acknowledgement })

/** A comparison of orders, book entries, processor and chain. It runs in payments' worker, page by page. */
export type Reconciliation = Static<typeof Reconciliation>
export const Reconciliation = Type.Object({
  _id: Id,
  /** Once it is finished, everything before `until` has been compared. */
  since: IsoDate,
  until: IsoDate,
  isFull: Type.Boolean(),
  /** Null once finished. */
  step: Nullable(Type.String()),
  finishedAt: Nullable(IsoDate),
  /** Why the last page failed; it is repeated. */
  error: Nullable(Type.String()),
  /** Number of compared things by step. */
  compared: Type.Record(Type.String(), Type.Integer()),
  /** Sums of the compared orders, cents. */
  ours: ReconciledSums,
  processor: ReconciledSums,
  /** All open differences, of earlier runs too; the first 500 in `differences`. */
  differenceCount: Type.Integer(),
  differences: Type.Array(Difference),
  /** Those that an operator acknowledged, which do not count; the first 500. */
  acknowledgedCount: Type.Integer(),
  acknowledged: Type.Array(AcknowledgedDifference),
})

export const startReconciliation = endpoint({
  summary: 'Starts a comparison with the processor',
  description:
    'From the end of the last one on, from `since` on, or of everything; returns the running one if there is one. ' +
    '409 `reconciliation_running` for `since` and `all` while another runs.',
  method: 'POST',
  path: '/internal/ops/reconciliations',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  body: Type.Object(
    { since: Type.Optional(IsoDate), all: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  response: Reconciliation,
})

export const getReconciliation = endpoint({
  summary: 'Returns the running or else the newest comparison',
  method: 'GET',
  path: '/internal/ops/reconciliations/newest',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  response: Type.Object({ run: Nullable(Reconciliation) }),
})

/** Without those of tokens, of which only lost works are acknowledged (`acknowledgeLostWork`). */
export const acknowledgedKinds = ['order', 'intent', 'payout', 'line', 'reservation'] as const

export const acknowledgeDifference = endpoint({
  summary: 'Acknowledges a difference that a comparison found',
  description:
    'It is listed and does not count, until its detail changes or `until`. Idempotent; another `until` replaces the ' +
    'acknowledgement. 400 `invalid_until` for one that is not in the future, 404 `difference_not_found`.',
  method: 'POST',
  path: '/internal/ops/differences/acknowledge',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({
    kind: Type.Enum(acknowledgedKinds),
    subject: Type.String({ minLength: 1, maxLength: 200 }),
    ...acknowledgedUntil,
    ...operatorAction,
  }),
  response: AcknowledgedDifference,
})
