import * as ops from '@nifty/api/catalog/ops'
import { listFeatured } from '@nifty/api/catalog/public'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { sendCached } from '../cache/send-cached.ts'
import type { Deps } from '../deps.ts'
import { featuredItems, featuredNfts, featureItems, unfeatureItem } from './featured.actions.ts'

export const featuredRoutes: FastifyPluginAsync<Deps> = async (app, { responses, offers }) => {
  registerRoute(app, listFeatured, async (request, reply) =>
    sendCached(responses, request, reply, {
      key: 'featured',
      build: async (snapshot) => ({ nfts: await featuredNfts(snapshot, { offers }) }),
    }),
  )
}

/** The operators' list. */
export const featuredOpsRoutes: FastifyPluginAsync<Deps> = async (app, { db }) => {
  registerRoute(app, ops.listFeaturedItems, async () => ({ items: await featuredItems(db) }))

  registerRoute(app, ops.featureItems, async (request) => {
    await inTransaction(db, (trx) => featureItems(trx, request.body.itemIds, actionOf(request)))
    return { success: true as const }
  })

  registerRoute(app, ops.unfeatureItem, async (request) => {
    await inTransaction(db, (trx) => unfeatureItem(trx, request.params.id, actionOf(request)))
    return { success: true as const }
  })
}
