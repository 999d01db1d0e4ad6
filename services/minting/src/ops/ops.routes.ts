import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/minting'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { listDeliveredTokens } from './delivered-tokens.ts'
import { resumeSigner } from './resume-signer.ts'
import { retryDelivery } from './retry-delivery.ts'
import { readStatus } from './status.ts'

/** For `pnpm ops`; only on the internal port. */
export const opsRoutes: FastifyPluginAsyncTypebox<{ context: ChainContext }> = async (app, { context }) => {
  app.get('/internal/ops/status', { schema: api.opsStatus }, async () => readStatus(context))

  app.get('/internal/ops/tokens', { schema: api.deliveredTokens }, async () => listDeliveredTokens(context.db))

  app.post('/internal/ops/retry-delivery', { schema: api.retryDelivery }, async ({ body }) => ({
    state: await context.db
      .transaction()
      .execute((trx) => retryDelivery(trx, body.lineId, { operator: body.who, reason: body.why })),
  }))

  app.post('/internal/ops/resume-lane', { schema: api.resumeLane }, async ({ body }) =>
    resumeSigner(context, { operator: body.who, reason: body.why }),
  )
}
