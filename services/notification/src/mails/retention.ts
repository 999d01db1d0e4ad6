import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** Erases the addresses of mails older than 30 days. The rows stay for deduplication. */
export async function eraseOldAddresses(db: Kysely<Database>) {
  await sql`
    update mail set recipient = '', reply_to = null, error = null
    where recipient <> '' and coalesce(sent_at, failed_at) < now() - interval '30 days'`.execute(db)
}

/** Erases the addresses of deleted accounts in sent mails. Mails still in the queue follow after 30 days. */
export async function eraseAddresses(trx: Transaction<Database>, emails: string[]) {
  if (emails.length === 0) return
  await sql`
    update mail set recipient = '' where recipient = any(${emails}) and sent_at is not null`.execute(trx)
}
