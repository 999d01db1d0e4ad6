import { anyOf } from '@nifty/service-kit/database'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { subjectOf, type Unsubscription } from '../unsubscribe/unsubscribe-token.ts'

/** Deletes queued mails that these unsubscriptions end. Skips one that is being sent: its row is locked meanwhile. */
export async function dropWaitingMails(trx: Transaction<Database>, ended: Unsubscription[]) {
  if (ended.length === 0) return
  const waiting = trx
    .selectFrom('mail')
    .select('id')
    .where('unsubscribe', '=', anyOf(ended.map(subjectOf)))
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .forUpdate()
    .skipLocked()
  await trx.deleteFrom('mail').where('id', 'in', waiting).execute()
}
