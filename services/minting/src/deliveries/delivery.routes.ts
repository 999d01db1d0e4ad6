import * as api from '@nifty/api/minting/internal'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { requestStop } from './stop-delivery.ts'

export const deliveryRoutes: FastifyPluginAsync<{ context: ChainContext }> = async (app, { context }) => {
  registerRoute(app, api.stopDelivery, async (request) => {
    const { lineId } = request.params
    const { reason, keepFor } = request.body
    return requestStop(context, { lineId, reason, keepFor })
  })
}
