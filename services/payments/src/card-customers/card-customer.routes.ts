import * as api from '@nifty/api/payments/cards'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { orBusy } from '../locks/lock.errors.ts'
import { forgetCardsNow } from './card-customer.actions.ts'
import { findCustomer, requestForgetting } from './card-customer.store.ts'
import { viewCustomer } from './card-customer.ts'

export const cardCustomerRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const { db } = deps

  registerRoute(app, api.getRememberedCards, async (request) =>
    viewCustomer(await findCustomer(db, callerOf(request).userId)),
  )

  registerRoute(app, api.forgetCards, async (request) => {
    const { userId } = callerOf(request)
    await orBusy(requestForgetting(db, userId))
    await forgetCardsNow(deps, userId)
    return viewCustomer(await findCustomer(db, userId))
  })
}
