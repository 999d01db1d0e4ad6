import * as api from '@nifty/api/payments/public'
import { callerOf, registerRoute } from '@nifty/service-kit/http/routes'
import { inSnapshot, inTransaction } from '@nifty/service-kit/transaction'
import type { FastifyPluginAsync } from 'fastify'
import type { Kysely } from 'kysely'
import type { Database } from '../db.ts'
import type { Deps } from '../deps.ts'
import { refuseIfDeliveryStarted, requestCancellation } from './cancellation.actions.ts'
import { orBusy, orderNotFound } from './order.errors.ts'
import { findOrder, ordersOfBuyer } from './order.store.ts'
import { viewOrders } from './order.view.ts'

const AT_MOST = 200

export const orderRoutes: FastifyPluginAsync<Deps> = async (app, { db, runner }) => {
  async function ownOrder(db: Kysely<Database>, orderId: string, userId: string) {
    const order = await findOrder(db, orderId)
    if (!order || order.buyerId !== userId) throw orderNotFound()
    return order
  }

  const viewOwn = (orderId: string, userId: string) =>
    inSnapshot(db, async (snapshot) => {
      const [view] = await viewOrders(snapshot, [await ownOrder(snapshot, orderId, userId)])
      return view!
    })

  registerRoute(app, api.listOrders, async (request) => {
    const { userId } = callerOf(request)
    return inSnapshot(db, async (snapshot) => ({
      orders: await viewOrders(snapshot, await ordersOfBuyer(snapshot, userId, AT_MOST)),
    }))
  })

  registerRoute(app, api.getOrder, async (request) => {
    const { userId } = callerOf(request)
    return viewOwn(request.params.id, userId)
  })

  registerRoute(app, api.cancelOrder, async (request) => {
    const { userId } = callerOf(request)
    const { id } = request.params
    await ownOrder(db, id, userId)

    const isRequested = await orBusy(inTransaction(db, (trx) => requestCancellation(trx, id, 'buyer')))
    if (isRequested) await runner.untilIdle(id)

    if (isRequested) await refuseIfDeliveryStarted(db, await ownOrder(db, id, userId))
    return viewOwn(id, userId)
  })
}
