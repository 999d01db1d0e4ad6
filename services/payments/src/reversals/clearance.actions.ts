import { notFound } from '@nifty/service-kit/base/errors'
import type { Transaction } from 'kysely'
import type { Database, Reversal } from '../db.ts'
import { lockOrder } from '../orders/order.store.ts'
import { contestLines } from './reversal.actions.ts'
import { changeReversal, findReversal } from './reversal.store.ts'
import { contestStage } from './reversal.ts'

/**
 * An operator frees what a bank's objection holds, until it reaches its next stage. Idempotent. Locks the order. Throws
 * 404 `dispute_not_found` for one that holds nothing.
 */
export async function clearReversal(trx: Transaction<Database>, reversalId: string): Promise<Reversal> {
  const found = await findReversal(trx, reversalId)
  const order = found && (await lockOrder(trx, found.orderId))
  const stage = found && contestStage((await findReversal(trx, reversalId))!)
  if (!order || !stage) throw notFound('dispute_not_found', 'No open dispute, inquiry or fraud warning has this id')
  await changeReversal(trx, reversalId, { cleared: stage })
  await contestLines(trx, order)
  return (await findReversal(trx, reversalId))!
}
