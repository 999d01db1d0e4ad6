import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/internal'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { stopDelivery } from './delivery.actions.ts'

export const deliveryRoutes: FastifyPluginAsyncTypebox<{ context: ChainContext }> = async (app, { context }) => {
  app.post('/internal/deliveries/:lineId/stop', { schema: api.stopDelivery }, async (request) => {
    const { lineId } = request.params
    const { reason } = request.body
    return { stopped: await context.db.transaction().execute((trx) => stopDelivery(trx, { lineId, reason })) }
  })
}
