import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/payments/ops'
import { unavailable } from '@nifty/service-kit/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { InternalDeps } from '../deps.ts'
import { arrivedLines, reconcileMoney, recordReconciliation } from './reconcile.actions.ts'

export const opsReconcileRoutes: FastifyPluginAsyncTypebox<InternalDeps> = async (app, deps) => {
  registerRoute(app, api.getReconciliation, async () =>
    reconcileMoney(deps).catch((error) => {
      deps.log.warn({ err: error }, 'reconcile: comparison failed, returning 503')
      throw unavailable('processor_unavailable', 'The card processor is unavailable')
    }),
  )

  registerRoute(app, api.listArrivedLines, async () => ({ lineIds: await arrivedLines(deps.db) }))

  registerRoute(app, api.recordReconciliation, async ({ body }) => recordReconciliation(deps.db, body))
}
