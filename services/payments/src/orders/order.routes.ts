import * as api from '@nifty/api/payments/public'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { orBusy } from '../locks/lock.errors.ts'
import { refuseIfDeliveryStarted, requestCancellation } from './cancellation.actions.ts'
import { orderNotFound } from './order.errors.ts'
import { findOrder } from './order.store.ts'
import { viewOwnOrder } from './order.view.ts'
import { findOrderDetails, ordersOfBuyer } from './order-details.store.ts'

const AT_MOST = 200

export const orderRoutes: FastifyPluginAsync<Deps> = async (app, { db, runner }) => {
  /** Throws 404 for an order of another buyer. */
  function own<Found extends { buyerId: string }>(order: Found | undefined, userId: string): Found {
    if (order?.buyerId !== userId) throw orderNotFound()
    return order
  }
  const viewOwn = async (orderId: string, userId: string) =>
    viewOwnOrder(own(await findOrderDetails(db, orderId), userId))

  registerRoute(app, api.listOrders, async (request) => {
    const { userId } = callerOf(request)
    return { orders: (await ordersOfBuyer(db, userId, { limit: AT_MOST, kind: request.query.kind })).map(viewOwnOrder) }
  })

  registerRoute(app, api.getOrder, async (request) => {
    const { userId } = callerOf(request)
    return viewOwn(request.params.id, userId)
  })

  registerRoute(app, api.cancelOrder, async (request) => {
    const { userId } = callerOf(request)
    const { id } = request.params
    own(await findOrder(db, id), userId)

    const isRequested = await orBusy(inTransaction(db, (trx) => requestCancellation(trx, id, 'buyer')))
    if (isRequested) await runner.untilIdle(id)

    if (isRequested) await refuseIfDeliveryStarted(db, own(await findOrder(db, id), userId))
    return viewOwn(id, userId)
  })
}
