/** Operators' endpoints that find works, hidden ones included. Prices in euros. */
import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Euros, Id, IsoDate, Nullable } from '../shapes.ts'
import { itemStates } from './item-states.ts'

export type FoundItem = Static<typeof FoundItem>
export const FoundItem = Type.Object({
  itemId: Id,
  /** `contract/identifier`, as in the address of its page. */
  token: Type.String(),
  name: Type.String(),
  /** Path of its picture on the store, which takes `?w=` (a width in pixels). */
  image: Type.String(),
  creatorId: Id,
  creatorUsername: Nullable(Type.String()),
  /** Null while no account has proven to hold the token. */
  ownerId: Nullable(Id),
  ownerUsername: Nullable(Type.String()),
  price: Nullable(Euros),
  forSale: Type.Boolean(),
  /** Its auction is not decided: `price` is the opening price, or that of the leader. */
  onAuction: Type.Boolean(),
  reservedOrderId: Nullable(Id),
  /** Who hides it; null for a visible work. */
  hiddenBy: Nullable(Type.Enum(['owner', 'operator'])),
  hiddenAt: Nullable(IsoDate),
  featured: Type.Boolean(),
  mintedAt: IsoDate,
})

export const searchItems = endpoint({
  summary: 'Finds works',
  description:
    'That match every given field, hidden ones too, in the order of the market, 50 a page. `search` is an id, a token, ' +
    "the address of a work's page, or a part of a name. 400 `invalid_cursor` for an `after` that is no work.",
  method: 'POST',
  path: '/internal/ops/items/search',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  body: Type.Object(
    {
      search: Type.Optional(Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' })),
      creatorId: Type.Optional(Id),
      ownerId: Type.Optional(Id),
      state: Type.Optional(Type.Enum(itemStates)),
      /** `next` of the page before. */
      after: Type.Optional(Id),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ items: Type.Array(FoundItem), next: Nullable(Id) }),
})

/** A work for operators: with its owners, its reservation, and what operators did to it. */
export type ItemDescription = Static<typeof ItemDescription>
export const ItemDescription = Type.Object({
  item: FoundItem,
  description: Type.String(),
  /** That holds the token; null in custody. */
  wallet: Nullable(Type.String()),
  /** Of its present or last listing. */
  listedAt: Nullable(IsoDate),
  delistedAt: Nullable(IsoDate),
  /** The open sale of the work. */
  reservation: Nullable(
    Type.Object({ orderId: Id, buyerId: Nullable(Id), price: Nullable(Euros), until: Nullable(IsoDate) }),
  ),
  /** Why an operator hides it. */
  hidden: Nullable(Type.Object({ operator: Type.String(), reason: Type.String(), at: IsoDate })),
  /** Newest first: who had it, what it was listed and sold for. Null: a deleted account, or none is known. */
  history: Type.Array(
    Type.Object({
      what: Type.Enum(['minted', 'listed', 'moved', 'sold']),
      at: IsoDate,
      userId: Nullable(Id),
      username: Nullable(Type.String()),
      price: Nullable(Euros),
      txHash: Nullable(Type.String()),
      custody: Nullable(Type.Enum(['in', 'out'])),
    }),
  ),
  actions: Type.Array(
    Type.Object({ action: Type.String(), operator: Type.String(), reason: Type.String(), at: IsoDate }),
  ),
})

export const describeItem = endpoint({
  summary: 'Returns a work with its owners, its reservation and what operators did to it',
  description: 'The newest 500 entries of its history. 404 `item_not_found`.',
  method: 'GET',
  path: '/internal/ops/items/:id',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params: Type.Object({ id: Id }),
  response: ItemDescription,
})
