import { type Static, Type } from 'typebox'
import { auctionHours, MAX_BIDS } from '../auction-limits.ts'
import { endpoint } from '../endpoint.ts'
import { Euros, Id, IsoDate, Nullable, Price, UtcTime } from '../shapes.ts'
import { NftDetail } from './public.ts'

export const startAuction = endpoint({
  summary: 'Starts an auction of a work',
  description:
    'Ends its listing and its offers. `opening`: euros. `startsAt`: an announced start, at most 30 days ahead; ' +
    'without it the first bid starts the clock. 400 `invalid_amount`, `invalid_hours`, `invalid_start`; an opening ' +
    'price below half of the listed or paid prices of 90 days needs a step-up; 403 `not_the_owner`; 404 ' +
    '`item_not_found`; 409 `on_auction`, `item_hidden`, `item_moved`, `item_reserved`, `permit_required` with ' +
    '`details.typedData`, `work_contested`, `gift_waits`; 503 `auctions_off`, `deliverability_unknown`.',
  method: 'POST',
  path: '/api/auctions',
  access: 'seller',
  stepUp: 'sometimes',
  body: Type.Object({
    itemId: Id,
    opening: Type.Unknown(),
    hours: Type.Unknown(),
    startsAt: Type.Optional(Type.Unknown()),
  }),
  documented: {
    body: Type.Object({
      itemId: Id,
      opening: Price,
      hours: Type.Integer({ minimum: auctionHours.min, maximum: auctionHours.max }),
      startsAt: Type.Optional(Nullable(UtcTime)),
    }),
  },
  response: Type.Object({ success: Type.Literal(true), nft: NftDetail }),
})

const byId = Type.Object({ id: Id })

export const cancelAuction = endpoint({
  summary: 'Cancels an auction in which no bid stands',
  description:
    'The work is for sale and takes offers as before the auction. Idempotent. Pages of bids that began close. 404 ' +
    '`auction_not_found`; 409 `auction_has_bids`.',
  method: 'DELETE',
  path: '/api/auctions/:id',
  access: 'seller',
  params: byId,
  response: Type.Object({ success: Type.Literal(true), nft: NftDetail }),
})

/** One entry of the public history of an auction: never a name, nor the most that somebody would pay. */
export type AuctionBid = Static<typeof AuctionBid>
export const AuctionBid = Type.Object({
  /** Number of the bidder in this auction, from 1. */
  bidder: Type.Integer(),
  /** Number of the bidder who led afterwards; another one than `bidder` where that bid was outbid at once. */
  leader: Type.Integer(),
  /** The price of the leader after it stood, euros. */
  price: Euros,
  at: IsoDate,
  /** It led, and its hold was lost or an operator ended it: the auction was open again. */
  withdrawn: Type.Boolean(),
})

export const listAuctionBids = endpoint({
  summary: 'Lists the bids of an auction, the newest first',
  description: `At most ${MAX_BIDS}. \`leader\`: number of the bidder who leads or has won. 404 \`auction_not_found\`.`,
  method: 'GET',
  path: '/api/auctions/:id/bids',
  access: 'public',
  params: byId,
  cached: true,
  response: Type.Object({ bids: Type.Array(AuctionBid), leader: Nullable(Type.Integer()) }),
})

export const getOwnBidder = endpoint({
  summary: "Returns the caller's number in the bids of an auction",
  description: 'Null before a bid of the caller stood. 404 `auction_not_found`.',
  method: 'GET',
  path: '/api/auctions/:id/bidder',
  access: 'account',
  params: byId,
  response: Type.Object({ bidder: Nullable(Type.Integer()) }),
})
