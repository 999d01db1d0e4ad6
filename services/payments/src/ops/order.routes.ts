import * as api from '@nifty/api/payments/ops'
import { listRebuiltOrders as listRebuiltOrdersEndpoint } from '@nifty/api/payments/rebuilt-orders'
import { toEuros } from '@nifty/api/shapes'
import { unavailable } from '@nifty/service-kit/base/errors'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { registerRoute } from '@nifty/service-kit/http/routes'
import { actionOf } from '@nifty/service-kit/http/signed-requests'
import type { FastifyPluginAsync } from 'fastify'
import type { Deps } from '../deps.ts'
import { orBusy } from '../locks/lock.errors.ts'
import { refuseIfDeliveryStarted, requestCancellation } from '../orders/cancellation.actions.ts'
import { countOpenLines, linesOfOrders } from '../orders/line.store.ts'
import { orderState } from '../orders/line.ts'
import { findReservation, freeItem } from '../orders/lost-reservations.actions.ts'
import { orderNotFound } from '../orders/order.errors.ts'
import { findOrder } from '../orders/order.store.ts'
import { viewOrder } from '../orders/order.view.ts'
import { findOrderDetails } from '../orders/order-details.store.ts'
import { rebuildLostOrders } from '../orders/rebuild.actions.ts'
import { requestRefund, submitRefund } from '../refunds/refund.actions.ts'
import { openOrders, orderHistory, recentAlarms, undecidedReversals, viewAlarm } from './order.store.ts'
import { listRebuiltOrders } from './rebuilt-orders.actions.ts'

export const opsOrderRoutes: FastifyPluginAsync<Deps> = async (app, deps) => {
  const { db, runner, log } = deps

  async function needOrder(id: string) {
    const order = await findOrder(db, id)
    if (!order) throw orderNotFound()
    return order
  }

  registerRoute(app, api.listOpenOrders, async () => {
    const alarms = await recentAlarms(db)
    const open = await openOrders(db)
    const linesByOrder = Map.groupBy(
      await linesOfOrders(
        db,
        open.map(({ id }) => id),
      ),
      ({ orderId }) => orderId,
    )
    const orders = open.map((order) => ({
      _id: order.id,
      kind: order.orderKind,
      buyerId: order.buyerId,
      state: orderState(linesByOrder.get(order.id) ?? []),
      money: order.money,
      total: toEuros(order.totalCents),
      since: order.createdAt.toISOString(),
      holdEndsAt: order.money === 'held' ? (order.captureBefore?.toISOString() ?? null) : null,
      cancelRequestedBy: order.cancelRequestedBy,
      failures: order.failures,
      alarms: alarms.filter(({ orderId }) => orderId === order.id).map(({ name }) => name),
    }))
    const undecided = await undecidedReversals(db)
    return { orders, alarms: alarms.map(viewAlarm), undecided, openLines: await countOpenLines(db) }
  })

  registerRoute(app, listRebuiltOrdersEndpoint, async () => listRebuiltOrders(deps))

  registerRoute(app, api.getOrderHistory, async ({ params }) => orderHistory(db, await needOrder(params.id)))

  registerRoute(app, api.refundLine, async (request) => {
    const { lineId, operator, reason } = actionOf(request)
    const requested = await orBusy(
      db.transaction().execute(async (trx) => {
        const { refund, isNew } = await requestRefund(trx, lineId)
        // A repeated command changes nothing.
        if (isNew) await recordOperatorAction(trx, { action: 'refund', subject: lineId, operator, reason })
        return refund
      }),
    )
    const refund = await submitRefund(deps, lineId).catch((error) => {
      log.warn({ err: error, lineId }, 'refunds: outcome unknown, the worker submits it again')
      return requested
    })
    return { lineId, amount: toEuros(refund.amountCents), state: refund.state, error: refund.error }
  })

  registerRoute(app, api.freeItem, async (request) => {
    const { itemId, operator, reason } = actionOf(request)
    await rebuildLostOrders(deps).catch((error) => {
      log.warn({ err: error }, 'free-item: the processor did not list its sessions, returning 503')
      throw unavailable('processor_unavailable', 'The card processor is unavailable')
    })
    const reservation = await findReservation(deps, itemId)
    return db.transaction().execute(async (trx) => {
      const { orderId } = await freeItem(trx, reservation)
      await recordOperatorAction(trx, { action: 'free-item', subject: itemId, operator, reason })
      return { orderId }
    })
  })

  registerRoute(app, api.cancelOrder, async (request) => {
    const { orderId, operator, reason } = actionOf(request)
    const isRequested = await orBusy(
      db.transaction().execute(async (trx) => {
        await recordOperatorAction(trx, { action: 'cancel', subject: orderId, operator, reason })
        return requestCancellation(trx, orderId, 'operator')
      }),
    )
    if (isRequested) await runner.untilIdle(orderId)
    const order = await needOrder(orderId)
    if (isRequested) await refuseIfDeliveryStarted(db, order)
    return viewOrder((await findOrderDetails(db, orderId))!)
  })
}
