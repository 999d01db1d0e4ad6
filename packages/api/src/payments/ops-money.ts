/**
 * Operators' endpoints about money after the capture: refunds, disputes, payouts. Amounts in euros unless named cents.
 */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Euros, Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'

/** A refund, dispute or early fraud warning of an order's payment, as last read from the processor. */
export const Reversal = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['refund', 'dispute', 'fraud_warning']),
  status: Type.String(),
  reason: Nullable(Type.String()),
  /** Null for a warning. */
  amount: Nullable(Euros),
  /** What has left the captured amount by it until now. */
  withdrawn: Euros,
  /** Null until an operator decides: the shares of its lines are held back. */
  borneBy: Nullable(Type.Enum(['platform', 'seller'])),
  /** The lines that an operator named. */
  lineIds: Nullable(Type.Array(Id)),
  /** True while payouts of the order wait until its lines are named. */
  ambiguous: Type.Boolean(),
})

export const assignReversal = endpoint({
  summary: 'Decides who bears a refund or dispute',
  description:
    'Names its lines, too, if it is a part of an order of several. `platform` makes the shares of its lines due, ' +
    '`seller` reverses them. 404 `reversal_not_found`; 409 `line_is_known`, `line_not_captured` or ' +
    '`amount_exceeds_lines`.',
  method: 'POST',
  path: '/internal/ops/assignments',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({
    reversalId: Type.String({ minLength: 1, maxLength: 100 }),
    borneBy: Type.Enum(['platform', 'seller']),
    lineIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 10, uniqueItems: true })),
    ...operatorAction,
  }),
  response: Reversal,
})

/** The processor's side of a payment. Cents. */
export type ProcessorSide = Static<typeof ProcessorSide>
export const ProcessorSide = Type.Object({
  status: Type.String(),
  heldCents: Type.Integer(),
  capturedCents: Type.Integer(),
  refundedCents: Type.Integer(),
  disputedCents: Type.Integer(),
})

/** One payment, as stored here and at the processor, and what accepting the processor's side would do. */
export type BothSides = Static<typeof BothSides>
export const BothSides = Type.Object({
  orderId: Id,
  store: Type.Object({
    money: Type.String(),
    heldCents: Type.Integer(),
    captureCents: Nullable(Type.Integer()),
    capturedCents: Type.Integer(),
    refundedCents: Type.Integer(),
    disputedCents: Type.Integer(),
    lines: Type.Array(
      Type.Object({ _id: Id, name: Nullable(Type.String()), state: Type.String(), priceCents: Type.Integer() }),
    ),
  }),
  processor: ProcessorSide,
  /** True while the sides differ and nothing can be accepted, because the outcome of a delivery is open. */
  isDeliveryOpen: Type.Boolean(),
  /** In words; empty when both sides agree, and while `isDeliveryOpen`. */
  effects: Type.Array(Type.String()),
})

export const compareOrder = endpoint({
  summary: "Compares an order with the processor's state of its payment",
  description:
    '409 `no_payment` for an order without a payment, `session_missing` when the processor does not have it.',
  method: 'GET',
  path: '/internal/ops/orders/:id/sides',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  params: Type.Object({ id: Id }),
  response: BothSides,
})

export const acceptOrder = endpoint({
  summary: "Records the processor's state of a payment",
  description:
    "An amount captured, refunded, disputed or cancelled there. `seen` is the processor's side as it was shown; " +
    '409 `processor_changed` when it is different now, `delivery_open` while a delivery is open, `offer_undecided`.',
  method: 'POST',
  path: '/internal/ops/acceptances',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({ orderId: Id, seen: ProcessorSide, ...operatorAction }),
  response: BothSides,
})

/** `GET /internal/ops/payouts`: what each account is owed. */
export type Payouts = Static<typeof Payouts>
export const Payouts = Type.Object({
  due: Type.Array(
    Type.Object({
      userId: Id,
      username: Nullable(Type.String()),
      /** Can be paid now. Negative: it was paid out before a loss that it bears, and the next sales make up for it. */
      due: Euros,
      /** In the hold-back period. */
      waiting: Euros,
      /** While a refund or dispute is open, or until an operator decides who bears it. */
      heldBack: Euros,
      /** disputed · fraud_warning · inquiry · not_assigned (a refund of several lines) · refund_pending · undecided. */
      heldBecause: Type.Array(Type.String()),
      entries: Type.Integer(),
      /** An operator suspended the account, or its owner froze it: look before it is paid. */
      suspended: Type.Boolean(),
      /** Where to pay an account that was deleted. */
      payee: Nullable(Type.Object({ firstName: Type.String(), email: Type.String(), deletedAt: IsoDate })),
    }),
  ),
  paid: Type.Array(
    Type.Object({
      payoutId: Id,
      userId: Id,
      amount: Euros,
      operator: Type.String(),
      reason: Type.String(),
      at: IsoDate,
      /** When the bank had sent it back. */
      returnedAt: Nullable(IsoDate),
    }),
  ),
})
export const listPayouts = endpoint({
  summary: 'Lists what is due to each seller',
  method: 'GET',
  path: '/internal/ops/payouts',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  response: Payouts,
})

/** At most this many in one response. */
export const UNPAID_SHARES_PAGE = 1_000

/**
 * Shares of an account that no recorded payout has paid, oldest first: one for each line, whether it may be paid or
 * not.
 */
export type UnpaidShares = Static<typeof UnpaidShares>
export const UnpaidShares = Type.Object({
  shares: Type.Array(
    Type.Object({
      lineId: Id,
      name: Type.String(),
      /** The first unpaid entry: what a payout before any further refund or dispute paid. */
      amount: Euros,
      /** With what was refunded, disputed and assigned since. */
      balance: Euros,
      status: Type.Enum(['due', 'waiting', 'held_back']),
      dueAt: IsoDate,
    }),
  ),
  /** Of the next page, for `after`; null on the last one. */
  next: Nullable(Type.String()),
})
export const listUnpaidShares = endpoint({
  summary: 'Lists the unpaid shares of an account',
  method: 'GET',
  path: '/internal/ops/payouts/:userId/unpaid',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  params: Type.Object({ userId: Id }),
  query: Type.Object({ after: Type.Optional(Type.String({ pattern: '^[1-9]\\d{0,14}$' })) }),
  response: UnpaidShares,
})

export const recordPayout = endpoint({
  summary: 'Records a payout',
  description:
    'Everything that is due to the account was paid; or, with `lineIds`, a payout that a restored database does ' +
    'not know paid these lines, also if they were refunded or disputed since. The caller chooses `payoutId`: a ' +
    'repeated one returns the same payout. 409 `amount_differs` when the amount is not what is due now, or not ' +
    'what these lines were booked with; `line_not_payable` for a line without an unpaid share of the account; ' +
    "`too_many_lines` when the amount cannot be found among the sums of the lines' shares.",
  method: 'POST',
  path: '/internal/ops/payouts',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({
    payoutId: Id,
    userId: Id,
    amount: Euros,
    lineIds: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 100, uniqueItems: true })),
    ...operatorAction,
  }),
  response: Type.Object({ payoutId: Id, userId: Id, amount: Euros, at: IsoDate }),
})

export const returnPayout = endpoint({
  summary: 'Records that a payout was returned',
  description:
    'The bank sent it back, or it was recorded by mistake: what it paid is owed again. Idempotent. 404 ' +
    '`payout_not_found`.',
  method: 'POST',
  path: '/internal/ops/payout-returns',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({ payoutId: Id, ...operatorAction }),
  response: Type.Object({ payoutId: Id, userId: Id, amount: Euros }),
})
