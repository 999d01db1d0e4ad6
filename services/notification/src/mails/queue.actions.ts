import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { markAcknowledged } from './queue.store.ts'

/**
 * Mails that were given up or refused within 24 hours raise no alert any more; later ones do. Returns how many were
 * acknowledged; with none nothing is recorded.
 */
export async function acknowledgeMails(trx: Transaction<Database>, operatorReason: OperatorReason): Promise<number> {
  const acknowledged = await markAcknowledged(trx)
  if (acknowledged > 0)
    await recordOperatorAction(trx, { action: 'acknowledge mails', subject: 'mails', ...operatorReason })
  return acknowledged
}
