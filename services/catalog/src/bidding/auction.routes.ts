import * as api from '@nifty/api/catalog/auctions'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { nftDetail } from '../items/nft-detail.store.ts'
import { cancelAuction, readTerms, startAuction } from './auction.actions.ts'
import { auctionsOff } from './bid.routes.ts'

/** Sellers start auctions, and cancel those in which no bid stands. */
export const auctionRoutes: FastifyPluginAsync<Deps> = async (app, { db, minting, offers, auctions }) => {
  registerRoute(app, api.startAuction, async (request) => {
    if (!auctions) throw auctionsOff()
    const { userId, steppedUp } = callerOf(request)
    const { itemId } = request.body
    await startAuction({ db, minting }, { itemId, userId, steppedUp, terms: readTerms(request.body) })
    return { success: true as const, nft: await nftDetail(db, itemId, { offers }) }
  })

  registerRoute(app, api.cancelAuction, async (request) => {
    const { userId } = callerOf(request)
    const auctionId = request.params.id
    const nft = await inTransaction(db, async (trx) =>
      nftDetail(trx, await cancelAuction(trx, { auctionId, userId }), { offers }),
    )
    return { success: true as const, nft }
  })
}
