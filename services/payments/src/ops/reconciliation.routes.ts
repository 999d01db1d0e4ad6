import * as api from '@nifty/api/payments/ops'
import { unavailable } from '@nifty/service-kit/errors'
import { registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { deliveredLines, reconcileMoney, recordReconciliation } from './reconciliation.actions.ts'

export const opsReconciliationRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  registerRoute(app, api.getReconciliation, async () =>
    reconcileMoney(deps).catch((error) => {
      deps.log.warn({ err: error }, 'reconcile: comparison failed, returning 503')
      throw unavailable('processor_unavailable', 'The card processor is unavailable')
    }),
  )

  registerRoute(app, api.listDeliveredLines, async () => ({ lineIds: await deliveredLines(deps.db) }))

  registerRoute(app, api.recordReconciliation, async ({ body }) => recordReconciliation(deps.db, body))
}
