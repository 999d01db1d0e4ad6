import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/payments-ops'
import { unavailable } from '@nifty/service-kit/errors'
import type { InternalDeps } from '../deps.ts'
import { arrivedLines, reconcileMoney, recordReconciliation } from './reconcile.actions.ts'

export const opsReconcileRoutes: FastifyPluginAsyncTypebox<InternalDeps> = async (app, deps) => {
  app.get('/internal/ops/reconcile', { schema: api.reconcile }, async () =>
    reconcileMoney(deps).catch((error) => {
      deps.log.warn({ err: error }, 'reconcile: comparison failed, returning 503')
      throw unavailable('processor_unavailable', 'The card processor is unavailable')
    }),
  )

  app.get('/internal/ops/arrived', { schema: api.arrivedLines }, async () => ({ lineIds: await arrivedLines(deps.db) }))

  app.post('/internal/ops/reconciled', { schema: api.reconciled }, async ({ body }) =>
    recordReconciliation(deps.db, body),
  )
}
