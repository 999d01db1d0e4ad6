import type { Kysely, Transaction } from 'kysely'
import type { Database, Order } from '../db.ts'
import { linesOf } from './line.store.ts'
import { isUnpaid } from './line.ts'
import { deliveryStarted, orderNotFound } from './order.errors.ts'
import { lockOrder, wakeOrder, wishStop } from './order.store.ts'
import { isCancellable, type Stop, strongerStop } from './order.ts'

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

/** Wishes an order ended that nobody has paid yet. A payment that was faster wins, and the sale goes on. */
export async function wishUnpaidOrderEnded(trx: Transaction<Database>, orderId: string, stop: Stop) {
  const order = await lockOrder(trx, orderId)
  if (!order || !(await linesOf(trx, orderId)).some(isUnpaid)) return
  await wishStop(trx, orderId, strongerStop(order.stop, stop))
  await wakeOrder(trx, orderId)
}

/** Somebody left: what they have not paid is closed, what they have paid is delivered. */
export async function wishUnpaidOrdersOfBuyerEnded(trx: Transaction<Database>, buyerId: string) {
  const rows = await trx
    .selectFrom('line')
    .select('orderId')
    .distinct()
    .where('buyerId', '=', buyerId)
    .where('state', 'in', ['placed', 'awaiting_payment'])
    .orderBy('orderId')
    .execute()
  for (const { orderId } of rows) await wishUnpaidOrderEnded(trx, orderId, 'account')
}
