import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Done, Euros, Id, IsoDate, Nullable, operatorAction } from '../shapes.ts'
import { auctionOutcomes } from './public.ts'

const state = ['open', ...auctionOutcomes] as const

/** An auction for operators, in any state. */
export type FoundAuction = Static<typeof FoundAuction>
export const FoundAuction = Type.Object({
  id: Id,
  itemId: Id,
  /** `contract/identifier`. */
  token: Type.String(),
  name: Type.String(),
  sellerId: Id,
  opening: Euros,
  hours: Type.Integer(),
  createdAt: IsoDate,
  startsAt: Nullable(IsoDate),
  endsAt: Nullable(IsoDate),
  /** No bid moves the end beyond it. */
  latestEndAt: Nullable(IsoDate),
  state: Type.Enum(state),
  price: Nullable(Euros),
  leaderOrder: Nullable(Id),
  bids: Type.Integer(),
  endedAt: Nullable(IsoDate),
  /** Why it is void or failed, else null. */
  why: Nullable(Type.String()),
  /** Void auctions of its seller that had bids, this one included. */
  sellerVoided: Type.Integer(),
})

/** A bid for operators. */
export type FoundBid = Static<typeof FoundBid>
export const FoundBid = Type.Object({
  orderId: Id,
  bidderId: Id,
  /** The most that the bidder would pay, euros. */
  limit: Euros,
  state: Type.Enum(['started', 'leading', 'won', 'ended']),
  why: Nullable(Type.String()),
  startedAt: IsoDate,
  /** When it took the lead, raised the price or raised its bidder's maximum. */
  stoodAt: Nullable(IsoDate),
  /** The price after it stood, euros. One that its bidder raised has none: the higher one took its place. */
  price: Nullable(Euros),
})

export const listAuctions = endpoint({
  summary: 'Lists auctions, the newest first',
  description:
    "Of all works, of a work or an account, the one of an id, or that of a bid's order; without `state` those that " +
    'are not over. 50 a page.',
  method: 'GET',
  path: '/internal/auctions',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  query: Type.Object({
    id: Type.Optional(Id),
    /** Of a bid in it. */
    orderId: Type.Optional(Id),
    itemId: Type.Optional(Id),
    /** Of its seller or of a bidder. */
    accountId: Type.Optional(Id),
    state: Type.Optional(Type.Enum([...state, 'any'])),
    /** `next` of the page before. */
    after: Type.Optional(Id),
  }),
  response: Type.Object({ auctions: Type.Array(FoundAuction), next: Nullable(Id) }),
})

const byId = Type.Object({ id: Id })

export const getAuction = endpoint({
  summary: 'Returns an auction with all its bids, the newest first',
  description: '404 `auction_not_found`.',
  method: 'GET',
  path: '/internal/auctions/:id',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  params: byId,
  response: Type.Object({ auction: FoundAuction, bids: Type.Array(FoundBid) }),
})

export const voidAuction = endpoint({
  summary: 'Ends an auction without a sale',
  description: 'All holds are given back. Idempotent. 404 `auction_not_found`; 409 `auction_decided`.',
  method: 'POST',
  path: '/internal/auctions/:id/void',
  access: 'operator',
  role: 'support',
  confirm: 'always',
  params: byId,
  body: Type.Object({ ...operatorAction }),
  response: Done,
})
