import * as api from '@nifty/api/catalog/public'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import { sendCached } from '../cache/send-cached.ts'
import type { Deps } from '../deps.ts'
import { findMarket } from './market.store.ts'
import { cacheKeyOf, readMarketQuery } from './market.ts'
import { topItems } from './top-items.store.ts'

export const marketRoutes: FastifyPluginAsync<Deps> = async (app, { responses, offers }) => {
  registerRoute(app, api.getMarket, async (request, reply) => {
    const query = readMarketQuery(request.query)
    return sendCached(responses, request, reply, {
      key: cacheKeyOf(query),
      build: (snapshot) => findMarket(snapshot, query, { offers }),
    })
  })

  registerRoute(app, api.listTopItems, async (request, reply) =>
    sendCached(responses, request, reply, {
      key: 'top-items',
      build: async (snapshot) => ({ nfts: await topItems(snapshot, { offers }) }),
    }),
  )
}
