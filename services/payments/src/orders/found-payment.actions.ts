import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { linesOf } from './line.store.ts'
import { changeOrder, lockOrder } from './order.store.ts'

type Payment = { sessionId: string | null; intentId: string | null }

/**
 * Stores the payment that the processor reports for an order which was released because no session was found, so that
 * `recheck_session` reads it. Other orders are unchanged. Locks the order.
 */
export async function storeFoundPayment(trx: Transaction<Database>, orderId: string, { sessionId, intentId }: Payment) {
  const order = (await lockOrder(trx, orderId))!
  if (order.sessionId || order.intentId) return
  const lines = await linesOf(trx, orderId)
  if (lines.every(({ state }) => state === 'released')) await changeOrder(trx, orderId, { sessionId, intentId })
}
