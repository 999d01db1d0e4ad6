import { conflict, notFound } from '@nifty/service-kit/errors'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { lockDelivery } from '../deliveries/delivery.store.ts'
import { recordAction, type Signed } from './operator-action.store.ts'

/** Tries a waiting line at once, or pays more for a signed one. What is over stays over. */
export async function retryDelivery(trx: Transaction<Database>, lineId: string, signed: Signed) {
  const delivery = await lockDelivery(trx, lineId)
  if (!delivery) throw notFound('delivery_not_found', 'No such delivery')
  if (delivery.state === 'waiting')
    await trx.updateTable('delivery').set({ nextTryAt: sql`now()` }).where('lineId', '=', lineId).execute()
  else if (delivery.state === 'signed')
    await trx
      .updateTable('laneTransaction')
      .set({ bumpAsked: true })
      .where('id', '=', delivery.transactionId)
      .where('state', '=', 'signed')
      .execute()
  else throw conflict('delivery_over', `This delivery is ${delivery.state}`)
  await recordAction(trx, 'retry-delivery', lineId, signed)
  return delivery.state
}
