import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/minting/internal'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { stopDelivery } from './delivery.actions.ts'

export const deliveryRoutes: FastifyPluginAsyncTypebox<{ context: ChainContext }> = async (app, { context }) => {
  registerRoute(app, api.stopDelivery, async (request) => {
    const { lineId } = request.params
    const { reason } = request.body
    return { stopped: await context.db.transaction().execute((trx) => stopDelivery(trx, { lineId, reason })) }
  })
}
