import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { Done, Euros, Id, IsoDate, Nullable } from '../shapes.ts'

/** At most this many in a response, the newest ones. */
export const MAX_NOTICES = 50

/**
 * `cheaper`, `sold`, `available`: a favourite costs less, was sold, is for sale or free again. `listed`: a followed
 * artist listed a work. `own_sold`: a work of the account was sold. `offer_received`: somebody offers to buy a work of
 * the account. The others are of the buyer's own offer: `offer_ended` for another reason than the owner's decision or
 * the time. With all of them `price` is what was offered.
 *
 * `auction_began`, `auction_ends` within an hour: of a favourite; the second also of a work that the account bid for.
 * `auction_bid`, `auction_ended`: the first bid on a work of the account stands, its auction is over. `bid_outbid`,
 * `bid_won`, `bid_ended`: of the bidder's own bid.
 * `auction_reopened`: for a former bidder, the leader was lost. `price` is that of the auction.
 */
export type NoticeKind = Static<typeof NoticeKind>
export const NoticeKind = Type.Union([
  Type.Literal('cheaper'),
  Type.Literal('sold'),
  Type.Literal('available'),
  Type.Literal('listed'),
  Type.Literal('own_sold'),
  Type.Literal('offer_received'),
  Type.Literal('offer_accepted'),
  Type.Literal('offer_declined'),
  Type.Literal('offer_expired'),
  Type.Literal('offer_ended'),
  Type.Literal('auction_began'),
  Type.Literal('auction_ends'),
  Type.Literal('auction_bid'),
  Type.Literal('auction_ended'),
  Type.Literal('auction_reopened'),
  Type.Literal('bid_outbid'),
  Type.Literal('bid_won'),
  Type.Literal('bid_ended'),
])

/**
 * There is one notice per kind and item, of `offer_received` one per offer; a later event of the kind replaces it, and
 * it is unread again.
 */
export type Notice = Static<typeof Notice>
export const Notice = Type.Object({
  _id: Id,
  what: NoticeKind,
  contract: Type.String(),
  identifier: Type.String(),
  /** Name of the work. */
  name: Type.String(),
  /** Name of its artist; null if unknown. */
  artist: Nullable(Type.String()),
  /** Null where the price is not part of the notice. */
  price: Nullable(Euros),
  at: IsoDate,
  read: Type.Boolean(),
})

export const listNotices = endpoint({
  summary: "Lists the caller's notices of the last 90 days, newest first",
  method: 'GET',
  path: '/api/notices',
  access: 'account',
  response: Type.Object({ notices: Type.Array(Notice), unread: Type.Integer() }),
})

export const readNotices = endpoint({
  summary: "Marks the caller's notices as read",
  description: 'Those up to this time (`at` of the newest one that was shown). Idempotent.',
  method: 'POST',
  path: '/api/notices/read',
  access: 'account',
  body: Type.Object({ upTo: Type.String({ format: 'date-time' }) }),
  response: Done,
})

export const readNoticesOfWork = endpoint({
  summary: "Marks the caller's notices of one work as read",
  description: 'Those up to this time (`at` of the newest one that was shown). Idempotent.',
  method: 'POST',
  path: '/api/notices/read-of-work',
  access: 'account',
  body: Type.Object({
    upTo: Type.String({ format: 'date-time' }),
    contract: Type.String(),
    identifier: Type.String(),
  }),
  response: Done,
})
