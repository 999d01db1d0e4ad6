import * as api from '@nifty/api/catalog/public'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { requireUncontested } from './contested-line.store.ts'
import { requireDeliverable } from './deliverability.actions.ts'
import { isListedInCustody, requireNotOnAuction, requireVisible } from './item.ts'
import { removeFromSale, setPrice } from './listing.actions.ts'
import { nftDetail } from './nft-detail.store.ts'
import { readPrice } from './price.ts'
import { findItemOfPath, readTokenPath } from './token-path.ts'

export const listingRoutes: FastifyPluginAsync<Deps> = async (app, { db, minting, offers }) => {
  registerRoute(app, api.setPrice, async (request) => {
    const { userId, steppedUp } = callerOf(request)
    const { params, body } = request
    const token = readTokenPath(params)
    const priceCents = readPrice(body, params)
    const item = requireVisible(await findItemOfPath(db, token, params), userId)
    requireNotOnAuction(item)
    await requireUncontested(db, item)
    if (!isListedInCustody(item)) await requireDeliverable(minting, item)
    const nft = await inTransaction(db, async (trx) => {
      await setPrice(trx, { itemId: item.id, userId, priceCents, steppedUp }, item)
      return nftDetail(trx, item.id, { offers })
    })
    return { success: true as const, nft }
  })

  registerRoute(app, api.removeFromSale, async (request) => {
    const { userId } = callerOf(request)
    const { id: itemId } = await findItemOfPath(db, readTokenPath(request.params), request.params)
    const nft = await inTransaction(db, async (trx) => {
      await removeFromSale(trx, { itemId, userId })
      return nftDetail(trx, itemId, { offers })
    })
    return { success: true as const, nft }
  })
}
