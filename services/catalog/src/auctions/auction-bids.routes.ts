import { MAX_BIDS } from '@nifty/api/auction-limits'
import * as api from '@nifty/api/catalog/auctions'
import { toEuros } from '@nifty/api/shapes'
import { notFound } from '@nifty/service-kit/base/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import { sendCached } from '../cache/send-cached.ts'
import type { Database } from '../db.ts'
import type { Deps } from '../deps.ts'
import { findBidderNumber, findPublicAuctions, findPublicBids, type PublicBid } from './auction-view.store.ts'

/** The public history of auctions, and which of it is the caller's. */
export const auctionBidsRoutes: FastifyPluginAsync<Deps> = async (app, { db, responses }) => {
  registerRoute(app, api.listAuctionBids, async (request, reply) => {
    const id = request.params.id.toLowerCase()
    return sendCached(responses, request, reply, {
      key: `bids ${id}`,
      build: async (snapshot) => {
        const { priceCents } = await requireAuction(snapshot, id)
        const bids = (await findPublicBids(snapshot, id, MAX_BIDS)).map(view)
        return { bids, leader: priceCents === null ? null : (bids[0]?.leader ?? null) }
      },
    })
  })

  registerRoute(app, api.getOwnBidder, async (request) => {
    const auctionId = request.params.id.toLowerCase()
    await requireAuction(db, auctionId)
    return { bidder: (await findBidderNumber(db, { auctionId, bidderId: callerOf(request).userId })) ?? null }
  })
}

async function requireAuction(db: Kysely<Database>, id: string) {
  const auction = (await findPublicAuctions(db, [id])).get(id)
  if (!auction) throw notFound('auction_not_found', 'There is no such auction')
  return auction
}

const view = ({ bidder, leader, priceCents, stoodAt, withdrawn }: PublicBid): api.AuctionBid => ({
  bidder,
  leader,
  price: toEuros(priceCents),
  at: stoodAt.toISOString(),
  withdrawn,
})
