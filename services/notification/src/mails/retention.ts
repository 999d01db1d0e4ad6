import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

const BATCH = 1_000

/** What identifies a person. The rest of the row stays for deduplication. */
const erased = sql`recipient = '', reply_to = null, subject = '', text = null, html = null, sealed_token = null, error = null, content = null`

const isOver = sql`(sent_at is not null or failed_at is not null)`

/** Erases one batch of mails that were sent or given up 30 days ago. True if there may be more. */
export async function eraseOldMails(db: Kysely<Database>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update mail set ${erased} where id in (
      select id from mail
      where (recipient <> '' or subject <> '') and coalesce(sent_at, failed_at) < now() - interval '30 days'
      limit ${sql.lit(BATCH)} for update skip locked)`.execute(db)
  return Number(numAffectedRows) === BATCH
}

/**
 * Erases the mails that were sent or given up to the addresses of deleted accounts, or to the operator about them.
 * Mails still in the queue follow after 30 days.
 */
export async function eraseMailsOf(trx: Transaction<Database>, emails: string[]) {
  if (emails.length === 0) return
  await sql`update mail set ${erased} where recipient = any(${emails}) and ${isOver}`.execute(trx)
  await sql`update mail set ${erased} where reply_to = any(${emails}) and ${isOver}`.execute(trx)
}
