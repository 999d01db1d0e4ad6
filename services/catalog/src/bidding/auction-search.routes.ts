import * as api from '@nifty/api/catalog/auction-search'
import { toEuros } from '@nifty/api/shapes'
import { invalidCursor, notFound } from '@nifty/service-kit/base/errors'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { Bid } from '../db.ts'
import type { Deps } from '../deps.ts'
import { voidAuction } from './auction.actions.ts'
import { type FoundAuction, findAuctions, findBidsOfAuction } from './auction-search.store.ts'

const PAGE = 50

/** Auctions, for operators. */
export const auctionSearchRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, api.listAuctions, async ({ query }) => {
    const { after } = query
    if (after !== undefined && (await findAuctions(db, { id: after, state: 'any' }, 1)).length === 0)
      throw invalidCursor()
    const found = await findAuctions(db, query, PAGE + 1)
    const page = found.slice(0, PAGE)
    return { auctions: page.map(view), next: found.length > PAGE ? page.at(-1)!.id : null }
  })

  registerRoute(app, api.getAuction, async ({ params: { id } }) => {
    const [auction] = await findAuctions(db, { id, state: 'any' }, 1)
    if (!auction) throw notFound('auction_not_found', 'There is no such auction')
    return { auction: view(auction), bids: (await findBidsOfAuction(db, id)).map(viewBid) }
  })

  registerRoute(app, api.voidAuction, async (request) => {
    const { id } = request.params
    await inTransaction(db, async (trx) => {
      await voidAuction(trx, id)
      await recordOperatorAction(trx, { action: 'void-auction', subject: id, ...actionOf(request) })
    })
    return { success: true as const }
  })
}

const view = (auction: FoundAuction): api.FoundAuction => ({
  id: auction.id,
  itemId: auction.itemId,
  token: `${auction.contract}/${auction.identifier}`,
  name: auction.name,
  sellerId: auction.sellerId,
  opening: toEuros(auction.openingCents),
  hours: auction.hours,
  createdAt: auction.createdAt.toISOString(),
  startsAt: auction.startsAt?.toISOString() ?? null,
  endsAt: auction.endsAt?.toISOString() ?? null,
  latestEndAt: auction.latestEndAt?.toISOString() ?? null,
  state: auction.state,
  price: auction.priceCents === null ? null : toEuros(auction.priceCents),
  leaderOrder: auction.leaderOrder,
  bids: auction.bids,
  endedAt: auction.endedAt?.toISOString() ?? null,
  why: auction.why,
  sellerVoided: auction.sellerVoided,
})

const viewBid = (bid: Bid): api.FoundBid => ({
  orderId: bid.orderId,
  bidderId: bid.bidderId,
  limit: toEuros(bid.limitCents),
  state: bid.state,
  why: bid.why,
  startedAt: bid.startedAt.toISOString(),
  stoodAt: (bid.placedAt ?? bid.stoodAt)?.toISOString() ?? null,
  price: bid.priceCents === null ? null : toEuros(bid.priceCents),
})
