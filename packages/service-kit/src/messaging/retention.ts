import { type Kysely, sql } from 'kysely'
import type { Worker } from '../worker.ts'
import type { MessagingTables } from './tables.ts'

/** Sent events stay so long that a lost topic can be filled again from what every service has said. */
const OUTBOX_DAYS = 30

/** The longest that a topic may keep messages; settings that ask for more are refused. */
export const MAX_RETENTION_DAYS = 60

/** Longer than any message can come again: filled again from the outbox at its end, then read at the topic's. */
const INBOX_DAYS = OUTBOX_DAYS + MAX_RETENTION_DAYS

const BATCH = 10_000

/** Deletes a batch of what nobody can ask for again; true when there is more. What was not sent yet stays. */
export async function deleteOldMessages(db: Kysely<MessagingTables>): Promise<boolean> {
  const outbox = await sql`
    delete from outbox where id in (
      select id from outbox where published_at < now() - make_interval(days => ${OUTBOX_DAYS}) limit ${BATCH})`.execute(
    db,
  )
  const inbox = await sql`
    delete from inbox where message_id in (
      select message_id from inbox where received_at < now() - make_interval(days => ${INBOX_DAYS}) limit ${BATCH})`.execute(
    db,
  )
  return [outbox, inbox].some(({ numAffectedRows }) => numAffectedRows === BigInt(BATCH))
}

export const retentionWorker = (db: Kysely<MessagingTables>): Worker => ({
  name: 'old messages',
  everyMs: 60 * 60_000,
  run: () => deleteOldMessages(db),
})
