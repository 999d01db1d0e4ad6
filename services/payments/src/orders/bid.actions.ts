import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { publishBidReleased } from './line.events.ts'
import { linesOf } from './line.store.ts'
import { isUndecided, isUnpaid } from './line.ts'
import { lockOrder, setCancelRequest, wakeOrder } from './order.store.ts'
import { strongerRequest } from './order.ts'

/**
 * Catalog ended an offer or a bid, or decided for it. Only wakes the order, which calls catalog; an open page is
 * closed, and a payment in the same moment is given back afterwards. Of a released order that has won there, as in a
 * restored catalog, it publishes the release again. Locks the order.
 */
export async function applyBidEnded(
  trx: Transaction<Database>,
  { orderId, outcome }: { orderId: string; outcome: 'won' | 'lost' },
) {
  const order = await lockOrder(trx, orderId)
  if (!order) return
  const lines = await linesOf(trx, orderId)
  if (lines.some(isUndecided)) await wakeOrder(trx, orderId)
  if (outcome === 'lost' && lines.some(isUnpaid)) {
    await setCancelRequest(trx, orderId, strongerRequest(order.cancelRequestedBy, 'seller'))
    await wakeOrder(trx, orderId)
  }
  if (outcome === 'won')
    for (const line of lines)
      if (line.state === 'released') await publishBidReleased({ trx, order }, line, { why: line.note ?? 'released' })
}
