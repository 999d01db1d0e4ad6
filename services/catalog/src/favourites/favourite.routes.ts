import * as api from '@nifty/api/catalog/favourites'
import { invalid } from '@nifty/service-kit/base/errors'
import { isUuid } from '@nifty/service-kit/base/uuid'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sendCached } from '../cache/send-cached.ts'
import type { Deps } from '../deps.ts'
import { nftsByIds } from '../items/nft.store.ts'
import { addFavourite, mergeFavourites, removeFavourite } from './favourite.actions.ts'
import { favouritesOf } from './favourite.store.ts'

export const favouriteRoutes: FastifyPluginAsync<Deps> = async (app, { db, responses, offers }) => {
  registerRoute(app, api.listNftsById, async (request, reply) => {
    const ids = readIds(request.query.ids)
    return sendCached(responses, request, reply, {
      key: `ids ${ids}`,
      build: async (snapshot) => ({ nfts: await nftsByIds(snapshot, ids, { offers }) }),
    })
  })

  registerRoute(app, api.listFavourites, async (request) => ({
    itemIds: await favouritesOf(db, callerOf(request).userId),
  }))

  registerRoute(app, api.mergeFavourites, async (request) => {
    const { userId } = callerOf(request)
    const added = await inTransaction(db, (trx) => mergeFavourites(trx, userId, request.body.itemIds))
    return { success: true as const, added }
  })

  registerRoute(app, api.addFavourite, async (request) => {
    const favourite = { userId: callerOf(request).userId, itemId: request.params.id }
    await inTransaction(db, (trx) => addFavourite(trx, favourite))
    return { success: true as const }
  })

  registerRoute(app, api.removeFavourite, async (request) => {
    const favourite = { userId: callerOf(request).userId, itemId: request.params.id }
    await inTransaction(db, (trx) => removeFavourite(trx, favourite))
    return { success: true as const }
  })
}

/** Throws 400 `invalid_ids`. */
function readIds(text: string): string[] {
  const ids = text.split(',')
  if (ids.length <= api.MAX_ITEMS_BY_ID && ids.every(isUuid)) return [...new Set(ids.map((id) => id.toLowerCase()))]
  const msg = `ids are 1 to ${api.MAX_ITEMS_BY_ID} ids of works, separated by commas`
  throw invalid('invalid_ids', msg, { errors: [{ msg, path: 'ids' }] })
}
