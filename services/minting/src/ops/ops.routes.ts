import * as api from '@nifty/api/minting/ops'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { listDeliveredTokens } from './delivered-tokens.ts'
import { resumeSigner } from './resume-signer.ts'
import { retryDelivery } from './retry-delivery.ts'
import { readStatus } from './status.ts'

/** For `pnpm ops`; only on the internal port. */
export const opsRoutes: FastifyPluginAsync<{ context: ChainContext }> = async (app, { context }) => {
  registerRoute(app, api.getStatus, async () => readStatus(context))

  registerRoute(app, api.listDeliveredTokens, async () => listDeliveredTokens(context.db))

  registerRoute(app, api.retryDelivery, async ({ body }) => ({
    state: await context.db.transaction().execute((trx) => retryDelivery(trx, body.lineId, body)),
  }))

  registerRoute(app, api.resumeSigner, async ({ body }) => resumeSigner(context, body))
}
