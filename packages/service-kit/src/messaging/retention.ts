import { type Kysely, sql } from 'kysely'
import type { MessagingTables } from './tables.ts'

/** Published events are kept so that a lost topic can be filled again from the outboxes of all services. */
export const OUTBOX_DAYS = 30

/** Upper limit of a topic's retention; larger settings are refused. */
export const MAX_RETENTION_DAYS = 60

/**
 * Longer than a message can be redelivered: republished when the outbox is about to delete it, then kept by the topic.
 */
const INBOX_DAYS = OUTBOX_DAYS + MAX_RETENTION_DAYS

const BATCH = 10_000

/** Deletes one batch of old rows; true when there are more. Unpublished events stay. */
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
