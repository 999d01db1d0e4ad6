import * as api from '@nifty/api/minting/internal'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { mayBuyGift } from './link-limit.ts'

export const giftCheckRoutes: FastifyPluginAsync<{ context: ChainContext }> = async (app, { context: { db } }) => {
  registerRoute(app, api.checkGift, async ({ body }) => ({ allowed: await mayBuyGift(db, body) }))
}
