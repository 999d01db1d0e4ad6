import * as api from '@nifty/api/catalog/public'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sendCached } from '../cache/send-cached.ts'
import type { Deps } from '../deps.ts'
import { findMarket } from './market.store.ts'
import { cacheKeyOf, readMarketQuery } from './market.ts'
import { topItems } from './top-items.store.ts'

export const marketRoutes: FastifyPluginAsync<Deps> = async (app, { responses, hits }) => {
  registerRoute(app, api.getMarket, async (request, reply) => {
    const query = readMarketQuery(request.query)
    const response = await responses.get(cacheKeyOf(query), (snapshot, generation) =>
      findMarket(snapshot, query, hits.of(generation)),
    )
    return sendCached(request, reply, response)
  })

  registerRoute(app, api.listTopItems, async (request, reply) => {
    const response = await responses.get('top-items', async (snapshot) => ({ nfts: await topItems(snapshot) }))
    return sendCached(request, reply, response)
  })
}
