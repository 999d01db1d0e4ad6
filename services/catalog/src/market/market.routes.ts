import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/catalog'
import type { Deps } from '../app.ts'
import { sendReady } from '../cache/send-cached.ts'
import { topItems } from './creators.store.ts'
import { findMarket } from './market.store.ts'
import { keyOf, readMarketQuery } from './market.ts'

export const marketRoutes: FastifyPluginAsyncTypebox<Deps> = async (app, { market }) => {
  app.get('/api/nfts/market', { schema: api.market }, async (request, reply) => {
    const query = readMarketQuery(request.query)
    return sendReady(request, reply, await market.answer(keyOf(query), (snapshot) => findMarket(snapshot, query)))
  })

  app.get('/api/nfts/top-items', { schema: api.topItems }, async (request, reply) =>
    sendReady(
      request,
      reply,
      await market.answer('top-items', async (snapshot) => ({ nfts: await topItems(snapshot) })),
    ),
  )
}
