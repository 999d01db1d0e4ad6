import { conflict, notFound } from '@nifty/service-kit/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database, Order } from '../db.ts'
import { linesOf } from './line.store.ts'
import { lockOrder, wakeOrder, wishStop } from './order.store.ts'
import { isCancellable, type Stop, strongerStop } from './order.ts'

/** The same for an order that is not there and for one of somebody else's. */
export const orderNotFound = () => notFound('order_not_found', 'Order not found')

export const deliveryStarted = () =>
  conflict('delivery_started', 'The delivery has started, so the order cannot be cancelled any more')

/**
 * Stores that somebody wants an order ended, before anybody outside is asked. True when there is something to end;
 * an order that was released already is fine, one whose delivery has started is refused.
 */
export async function askToStop(trx: Transaction<Database>, orderId: string, stop: Stop): Promise<boolean> {
  const order = await lockOrder(trx, orderId)
  if (!order) throw orderNotFound()
  const lines = await linesOf(trx, orderId)
  if (lines.every(({ state }) => state === 'released')) return false
  if (!isCancellable({ ...order, stop: null }, lines)) throw deliveryStarted()
  await wishStop(trx, orderId, strongerStop(order.stop, stop))
  await wakeOrder(trx, orderId)
  return true
}

/** After the wish was followed: refuses when nothing of the order was ended, and nothing will be. */
export async function refuseIfStarted(db: Kysely<Database>, order: Order) {
  const lines = await linesOf(db, order.id)
  const endedSome = lines.some(({ state }) => state === 'released')
  const stillAsked = order.stop !== null && isCancellable({ ...order, stop: null }, lines)
  if (!endedSome && !stillAsked) throw deliveryStarted()
}
