import * as api from '@nifty/api/payments/card-customers'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import { forgetCardsNow } from '../card-customers/card-customer.actions.ts'
import { findCustomer, requestForgetting } from '../card-customers/card-customer.store.ts'
import { viewCustomer } from '../card-customers/card-customer.ts'
import type { Deps } from '../deps.ts'
import { orBusy } from '../locks/lock.errors.ts'

/** Cards that the processor's page remembers, of which nothing is stored here. */
export const opsCardRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const { db } = deps

  registerRoute(app, api.getCardsOfAccount, async ({ params }) => viewCustomer(await findCustomer(db, params.id)))

  registerRoute(app, api.forgetCardsOfAccount, async (request) => {
    const { id: userId } = request.params
    const { operator, reason } = actionOf(request)
    await orBusy(
      db.transaction().execute(async (trx) => {
        await requestForgetting(trx, userId)
        await recordOperatorAction(trx, { action: 'forget-cards', subject: userId, operator, reason })
      }),
    )
    await forgetCardsNow(deps, userId)
    return viewCustomer(await findCustomer(db, userId))
  })
}
