import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { linesOf } from './line.store.ts'
import { isUnpaid } from './line.ts'
import { lockOrder, wakeOrder, wishStop } from './order.store.ts'
import { type Stop, strongerStop } from './order.ts'

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
