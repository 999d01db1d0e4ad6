import * as api from '@nifty/api/payments/ops-money'
import { ExpectedError, unavailable } from '@nifty/service-kit/base/errors'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { orBusy } from '../locks/lock.errors.ts'
import { assignReversal } from '../reversals/assignment.actions.ts'
import { acceptSides, compareSides } from './acceptance.actions.ts'
import { viewReversal } from './order.store.ts'

/** What an operator decides about money that moved at the processor. */
export const opsAcceptanceRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const orUnavailable = <Result>(work: Promise<Result>): Promise<Result> =>
    orBusy(work).catch((error) => {
      if (error instanceof ExpectedError) throw error
      deps.log.warn({ err: error }, 'accept: the processor did not respond, returning 503')
      throw unavailable('processor_unavailable', 'The card processor is unavailable')
    })

  registerRoute(app, api.compareOrder, async ({ params }) => orUnavailable(compareSides(deps, params.id)))

  registerRoute(app, api.acceptOrder, async (request) => orUnavailable(acceptSides(deps, actionOf(request))))

  registerRoute(app, api.assignReversal, async (request) => {
    const { operator, reason, ...assignment } = actionOf(request)
    return orBusy(
      deps.db.transaction().execute(async (trx) => {
        const reversal = await assignReversal(trx, assignment)
        await recordOperatorAction(trx, { action: 'assign', subject: reversal.orderId, operator, reason })
        return viewReversal(reversal)
      }),
    )
  })
}
