import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/internal'
import type { Lane } from '../chain-transactions/chain-context.ts'
import { stopDelivery } from './delivery.actions.ts'

export const deliveryRoutes: FastifyPluginAsyncTypebox<{ lane: Lane }> = async (app, { lane }) => {
  app.post('/internal/deliveries/:lineId/stop', { schema: api.stopDelivery }, async (request) => {
    const { lineId } = request.params
    const { reason } = request.body
    return { stopped: await lane.db.transaction().execute((trx) => stopDelivery(trx, { lineId, reason })) }
  })
}
