import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { offerDays } from '../offer-days.ts'
import { Euros, Id, IsoDate, Nullable } from '../shapes.ts'

/** An offer for operators, in any state. */
export type FoundOffer = Static<typeof FoundOffer>
export const FoundOffer = Type.Object({
  orderId: Id,
  itemId: Id,
  /** `contract/identifier`. */
  token: Type.String(),
  name: Type.String(),
  ownerId: Id,
  buyerId: Id,
  price: Euros,
  days: Type.Enum(offerDays),
  state: Type.Enum(['started', 'open', 'accepted', 'ended']),
  /** Why it ended, else null. */
  why: Nullable(Type.String()),
  startedAt: IsoDate,
  /** When it ends, or would have ended, by itself. */
  endsAt: Nullable(IsoDate),
  /** When it ended; null of one that is not over, or ended in a former release. */
  endedAt: Nullable(IsoDate),
})

export const listOffers = endpoint({
  summary: 'Lists offers, the newest first',
  description:
    'Of all works, of one work, of one account or of one order; without `state` those that are not over. 50 a page.',
  method: 'GET',
  path: '/internal/offers',
  access: 'operator',
  role: 'support',
  confirm: 'never',
  query: Type.Object({
    itemId: Type.Optional(Id),
    orderId: Type.Optional(Id),
    /** Of its buyer or of the owner. */
    accountId: Type.Optional(Id),
    state: Type.Optional(Type.Enum(['started', 'open', 'accepted', 'ended', 'any'])),
    /** `next` of the page before. */
    after: Type.Optional(Id),
  }),
  response: Type.Object({ offers: Type.Array(FoundOffer), next: Nullable(Id) }),
})
