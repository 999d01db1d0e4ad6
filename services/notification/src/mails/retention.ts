import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** Blanks whom old mails went to. Their rows stay, so that no mail is sent twice. */
export async function forgetRecipients(db: Kysely<Database>) {
  await sql`
    update mail set recipient = '', reply_to = null
    where recipient <> '' and coalesce(sent_at, given_up_at) < now() - interval '30 days'`.execute(db)
}

/** Blanks at once what went to deleted people; what is still on its way follows with the old mails. */
export async function forgetMailsTo(trx: Transaction<Database>, emails: string[]) {
  if (emails.length === 0) return
  await sql`
    update mail set recipient = '' where recipient = any(${emails}) and sent_at is not null`.execute(trx)
}
