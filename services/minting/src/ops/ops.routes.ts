import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/minting'
import type { Lane } from '../chain-transactions/chain-context.ts'
import { deliveredTokens } from './delivered-tokens.ts'
import { resumeLane } from './resume-signer.ts'
import { retryDelivery } from './retry-delivery.ts'
import { statusOf } from './status.ts'

/** For the operator's commands; only on the internal port. */
export const opsRoutes: FastifyPluginAsyncTypebox<{ lane: Lane }> = async (app, { lane }) => {
  app.get('/internal/ops/status', { schema: api.opsStatus }, async () => statusOf(lane))

  app.get('/internal/ops/tokens', { schema: api.deliveredTokens }, async () => deliveredTokens(lane.db))

  app.post('/internal/ops/retry-delivery', { schema: api.retryDelivery }, async ({ body }) => ({
    state: await lane.db.transaction().execute((trx) => retryDelivery(trx, body.lineId, body)),
  }))

  app.post('/internal/ops/resume-lane', { schema: api.resumeLane }, async ({ body }) => resumeLane(lane, body))
}
