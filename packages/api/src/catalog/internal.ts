import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Cents, Id, Nullable } from '../shapes.ts'

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

/** The owner of an item, as the market shows it. */
export type ItemOwner = Static<typeof ItemOwner>
export const ItemOwner = Type.Object({ token: Type.String(), ownerId: Nullable(Id) })

/** All items in pages, by token; `next` is null on the last page. */
export const listItemOwners = endpoint({
  method: 'GET',
  path: '/internal/item-owners',
  access: 'service',
  callers: ['payments'],
  query: Type.Object({ after: Type.Optional(Type.String()) }),
  response: Type.Object({ items: Type.Array(ItemOwner), next: Nullable(Type.String()) }),
})

/** Owners of the items with these tokens; a token without an item is left out. */
export const findItemOwners = endpoint({
  method: 'POST',
  path: '/internal/item-owners',
  access: 'service',
  callers: ['payments'],
  body: Type.Object({ tokens: Type.Array(Type.String(), { maxItems: 1_000 }) }),
  response: Type.Object({ items: Type.Array(ItemOwner) }),
})
