import { conflict, notFound } from '@nifty/service-kit/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/operator-audit'
import { sql, type Transaction } from 'kysely'
import { requestFeeBump } from '../chain-transactions/chain-transaction.store.ts'
import type { Database } from '../db.ts'
import { lockDelivery, updateDelivery } from '../deliveries/delivery.store.ts'

/** Makes a waiting delivery due now, or raises the fee of a signed one. 409 for every other state. */
export async function retryDelivery(trx: Transaction<Database>, lineId: string, { operator, reason }: OperatorReason) {
  const delivery = await lockDelivery(trx, lineId)
  if (!delivery) throw notFound('delivery_not_found', 'No such delivery')
  if (delivery.state === 'waiting') await updateDelivery(trx, lineId, { nextAttemptAt: sql`now()` as never })
  else if (delivery.state === 'signed') await requestFeeBump(trx, delivery.transactionId!)
  else throw conflict('delivery_over', `This delivery is ${delivery.state}`)
  await recordOperatorAction(trx, { action: 'retry-delivery', subject: lineId, operator, reason })
  return delivery.state
}
