import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import * as api from '@nifty/api/payments-ops'
import { toEuros } from '@nifty/api/shapes'
import type { InternalDeps } from '../deps.ts'
import { askToStop, refuseIfStarted } from '../orders/cancellation.actions.ts'
import { linesOfOrders } from '../orders/line.store.ts'
import { orderState } from '../orders/line.ts'
import { orBusy, orderNotFound } from '../orders/order.errors.ts'
import { findOrder } from '../orders/order.store.ts'
import { viewOrders } from '../orders/order.view.ts'
import { askRefund, settleRefund } from '../refunds/refund.actions.ts'
import { recordAction } from './operator-action.store.ts'
import { countLines, openOrders, recentAlarms, storyOf, viewAlarm } from './orders.store.ts'

export const opsOrderRoutes: FastifyPluginAsyncTypebox<InternalDeps> = async (app, deps) => {
  const { db, drive, log } = deps

  async function needOrder(id: string) {
    const order = await findOrder(db, id)
    if (!order) throw orderNotFound()
    return order
  }

  app.get('/internal/ops/orders', { schema: api.openOrders }, async () => {
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
      buyerId: order.buyerId,
      state: orderState(linesByOrder.get(order.id) ?? []),
      money: order.money,
      total: toEuros(order.totalCents),
      since: order.createdAt.toISOString(),
      stop: order.stop,
      failures: order.failures,
      alarms: alarms.filter(({ orderId }) => orderId === order.id).map(({ name }) => name),
    }))
    return { orders, alarms: alarms.map(viewAlarm), counts: await countLines(db) }
  })

  app.get('/internal/ops/orders/:id', { schema: api.orderStory }, async ({ params }) =>
    storyOf(db, await needOrder(params.id)),
  )

  app.post('/internal/ops/refund', { schema: api.refund }, async ({ body }) => {
    const { lineId } = body
    const asked = await orBusy(
      db.transaction().execute(async (trx) => {
        const refund = await askRefund(trx, lineId)
        await recordAction(trx, 'refund', lineId, body)
        return refund
      }),
    )
    const settled = await settleRefund(deps, lineId).catch((error) => {
      log.warn({ err: error, lineId }, 'refund is asked for and has no outcome yet')
      return asked
    })
    return { lineId, amount: toEuros(settled.amountCents), state: settled.state, error: settled.error }
  })

  app.post('/internal/ops/release', { schema: api.release }, async ({ body }) => {
    const { orderId } = body
    const wished = await orBusy(
      db.transaction().execute(async (trx) => {
        const something = await askToStop(trx, orderId, 'operator')
        await recordAction(trx, 'release', orderId, body)
        return something
      }),
    )
    if (wished) await drive.toEnd(orderId)
    const order = await needOrder(orderId)
    if (wished) await refuseIfStarted(db, order)
    const [view] = await viewOrders(db, [order])
    return view!
  })
}
