import { anyOf } from '@nifty/service-kit/database/database'
import { sql, type Transaction } from 'kysely'
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

/** Whether a mail with this deduplication key is queued or was sent. */
export async function isMailStored(
  trx: Transaction<Database>,
  { template, subjectId }: { template: string; subjectId: string },
): Promise<boolean> {
  const mails = trx.selectFrom('mail').select('id').where('template', '=', template).where('subjectId', '=', subjectId)
  return (await mails.executeTakeFirst()) !== undefined
}

/** Sent mails stay, without their texts, for deduplication. */
export async function markSent(trx: Transaction<Database>, id: string) {
  await sql`
    update mail set sent_at = now(), text = null, html = null, sealed_token = null, error = null where id = ${id}`.execute(
    trx,
  )
}

export async function deleteMail(trx: Transaction<Database>, id: string) {
  await sql`delete from mail where id = ${id}`.execute(trx)
}
