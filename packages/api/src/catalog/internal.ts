import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Cents, Id, IsoDate, Nullable } from '../shapes.ts'

/** Reserves all items or none. Idempotent by order id. */
export type Reservation = Static<typeof reserveItems.body>
export type ReservedLine = Static<typeof ReservedLine>
export const ReservedLine = Type.Object({
  itemId: Id,
  contract: Type.String(),
  identifier: Type.String(),
  name: Type.String(),
  /** Path of its picture. */
  image: Type.String(),
  category: Type.String(),
  sellerId: Id,
  sellerUsername: Type.String(),
  creatorId: Id,
  royaltyBps: Type.Integer(),
  priceCents: Cents,
  listingVersion: Type.Integer(),
})
export const reserveItems = endpoint({
  summary: 'Reserves items for an order',
  method: 'POST',
  path: '/internal/reservations',
  access: 'service',
  callers: ['payments'],
  body: Type.Object({
    orderId: Id,
    buyerId: Id,
    /** Lower case; null: into custody. */
    buyerWallet: Nullable(Type.String()),
    /** For the clock that other visitors see. */
    until: Type.String(),
    items: Type.Array(Type.Object({ itemId: Id, priceCents: Cents }), { minItems: 1, maxItems: 10 }),
  }),
  response: Type.Object({ lines: Type.Array(ReservedLine) }),
})

/** A work that an order has reserved. `until`: when its payment page closes; a delivery takes longer. */
export type HeldReservation = Static<typeof HeldReservation>
export const HeldReservation = Type.Object({ itemId: Id, orderId: Id, until: IsoDate })

export const listOverdueReservations = endpoint({
  summary: 'Lists reservations past their time',
  description: 'By ten minutes or more, by item in pages; `next` is null on the last page.',
  method: 'GET',
  path: '/internal/reservations/overdue',
  access: 'service',
  callers: ['payments'],
  query: Type.Object({ after: Type.Optional(Id) }),
  response: Type.Object({ reservations: Type.Array(HeldReservation), next: Nullable(Id) }),
})

export const findReservations = endpoint({
  summary: 'Finds the reservations of items',
  description: 'One that is not reserved is left out.',
  method: 'POST',
  path: '/internal/reservations/search',
  access: 'service',
  callers: ['payments'],
  body: Type.Object({ itemIds: Type.Array(Id, { maxItems: 1_000 }) }),
  response: Type.Object({ reservations: Type.Array(HeldReservation) }),
})

/** The owner of an item, as the market shows it. */
export type ItemOwner = Static<typeof ItemOwner>
export const ItemOwner = Type.Object({ token: Type.String(), ownerId: Nullable(Id) })

export const listItemOwners = endpoint({
  summary: 'Lists owners of all items',
  description: 'In pages, by token; `next` is null on the last page.',
  method: 'GET',
  path: '/internal/item-owners',
  access: 'service',
  callers: ['payments'],
  query: Type.Object({ after: Type.Optional(Type.String()) }),
  response: Type.Object({ items: Type.Array(ItemOwner), next: Nullable(Type.String()) }),
})

export const findItemOwners = endpoint({
  summary: 'Finds owners of items by their tokens',
  description: 'A token without an item is left out.',
  method: 'POST',
  path: '/internal/item-owners',
  access: 'service',
  callers: ['payments'],
  body: Type.Object({ tokens: Type.Array(Type.String(), { maxItems: 1_000 }) }),
  response: Type.Object({ items: Type.Array(ItemOwner) }),
})
