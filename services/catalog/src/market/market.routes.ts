import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/catalog'
import { sendCached } from '../cache/send-cached.ts'
import type { Deps } from '../deps.ts'
import { findMarket } from './market.store.ts'
import { cacheKeyOf, readMarketQuery } from './market.ts'
import { topItems } from './top-items.store.ts'

export const marketRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { responses }) => {
  app.get('/api/nfts/market', { schema: api.market }, async (request, reply) => {
    const query = readMarketQuery(request.query)
    const response = await responses.get(cacheKeyOf(query), (snapshot) => findMarket(snapshot, query))
    return sendCached(request, reply, response)
  })

  app.get('/api/nfts/top-items', { schema: api.topItems }, async (request, reply) => {
    const response = await responses.get('top-items', async (snapshot) => ({ nfts: await topItems(snapshot) }))
    return sendCached(request, reply, response)
  })
}
