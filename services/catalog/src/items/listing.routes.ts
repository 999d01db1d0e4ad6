import * as api from '@nifty/api/catalog/public'
import { forbidden } from '@nifty/service-kit/errors'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database, Item } from '../db.ts'
import type { Deps } from '../deps.ts'
import { requireDeliverable } from './deliverability.actions.ts'
import { findItemOfToken, hasContract } from './item.store.ts'
import { itemNotFound, requireOwner } from './item.ts'
import { removeFromSale, setPrice } from './listing.actions.ts'
import { nftDetail } from './nft-detail.store.ts'
import { readPrice } from './price.ts'
import { isAddressOf, isTokenId, readTokenPath, type TokenPath } from './token-path.ts'

export const listingRoutes: FastifyPluginAsync<Deps> = async (app, { db, minting, responses }) => {
  registerRoute(app, api.setPrice, async (request) => {
    const { userId } = callerOf(request)
    const { params, body } = request
    const token = readTokenPath(params)
    const priceCents = readPrice(body, params)
    const item = requireOwner(await findItemToSell(db, token, params), userId)
    await requireDeliverable(minting, item)
    await inTransaction(db, (trx) => setPrice(trx, { itemId: item.id, userId, priceCents }, item))
    await responses.refresh()
    return { success: true as const, nft: await nftDetail(db, item.id) }
  })

  registerRoute(app, api.removeFromSale, async (request) => {
    const { userId } = callerOf(request)
    const { id: itemId } = await findItemToSell(db, readTokenPath(request.params), request.params)
    await inTransaction(db, (trx) => removeFromSale(trx, { itemId, userId }))
    await responses.refresh()
    return { success: true as const, nft: await nftDetail(db, itemId) }
  })
}

/** Throws 404 for an unknown token of the store's contracts, 403 for a token of another contract. */
async function findItemToSell(db: Kysely<Database>, token: string, path: TokenPath): Promise<Item> {
  const item = isTokenId(path.identifier) ? await findItemOfToken(db, token) : undefined
  if (item && isAddressOf(item, path.contract)) return item
  if (await hasContract(db, path.contract.toLowerCase())) throw itemNotFound()
  throw forbidden('foreign_contract', 'Only works of this store can be sold here')
}
