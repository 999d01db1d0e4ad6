/** Operators' endpoints that find orders, and their notes on them. Amounts in euros. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Euros, Id, IsoDate, Nullable, UtcTime } from '../shapes.ts'
import { lineStates } from './line-states.ts'
import { orderKinds } from './public.ts'

export type FoundOrder = Static<typeof FoundOrder>
export const FoundOrder = Type.Object({
  _id: Id,
  kind: Type.Enum(orderKinds),
  buyerId: Id,
  /** That of the line with the most to do. */
  state: Type.Enum(lineStates),
  money: Type.String(),
  total: Euros,
  captured: Euros,
  createdAt: IsoDate,
  /** The payment at the processor; null before the card is held. */
  intentId: Nullable(Type.String()),
  lines: Type.Array(
    Type.Object({
      _id: Id,
      itemId: Id,
      /** `contract/identifier`; null for a line that catalog has not reserved. */
      token: Nullable(Type.String()),
      name: Type.String(),
      sellerId: Nullable(Id),
      sellerUsername: Nullable(Type.String()),
      price: Euros,
      state: Type.Enum(lineStates),
      txHash: Nullable(Type.String()),
    }),
  ),
})

export type OrderSearch = Static<typeof OrderSearch>
export const OrderSearch = Type.Object(
  {
    /** An id, or a number as `orderNumber` has it. */
    order: Type.Optional(
      Type.String({ pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$|^[0-9a-fA-F]{8}$' }),
    ),
    /** The processor's id of a payment or of a session. */
    payment: Type.Optional(Type.String({ pattern: '^(pi|cs)_[0-9A-Za-z_]{1,240}$' })),
    /** Of a delivery. */
    transaction: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' })),
    /** Orders of one of these accounts; none when empty. */
    accountIds: Type.Optional(Type.Array(Id, { maxItems: 100 })),
    /** In which role; in both when absent. */
    as: Type.Optional(Type.Enum(['buyer', 'seller'])),
    itemId: Type.Optional(Id),
    /** `contract/identifier`, the address of the work's page. */
    token: Type.Optional(Type.String({ pattern: '^0x[0-9a-fA-F]{40}/\\d{1,78}$' })),
    /** Of one of its lines. */
    state: Type.Optional(Type.Enum(lineStates)),
    since: Type.Optional(UtcTime),
    /** Exclusive. */
    until: Type.Optional(UtcTime),
    /** `next` of the page before. */
    after: Type.Optional(Id),
  },
  { additionalProperties: false },
)

export const searchOrders = endpoint({
  summary: 'Finds orders',
  description:
    'Those that match every given field, newest first, 50 a page. POST, so that no search is in a URL. 400 ' +
    '`invalid_cursor` for an `after` that is no order.',
  method: 'POST',
  path: '/internal/ops/orders/search',
  access: 'operator',
  role: 'support',
  alsoFor: ['money'],
  confirm: 'never',
  body: OrderSearch,
  response: Type.Object({ orders: Type.Array(FoundOrder), next: Nullable(Id) }),
})

export type OrderNote = Static<typeof OrderNote>
export const OrderNote = Type.Object({ noteId: Id, operator: Type.String(), text: Type.String(), at: IsoDate })

export const addOrderNote = endpoint({
  summary: 'Adds a note to an order',
  description:
    'Other operators read it in the history of the order; its buyer does not. The caller chooses `noteId`: a ' +
    'repeated one returns the same note. 404 `order_not_found`, 409 `note_exists` for an id of another note.',
  method: 'POST',
  path: '/internal/ops/orders/:id/notes',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params: Type.Object({ id: Id }),
  body: Type.Object({ noteId: Id, text: Type.String({ minLength: 1, maxLength: 2_000, pattern: '\\S' }) }),
  response: OrderNote,
})
