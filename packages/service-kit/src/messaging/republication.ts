import { type Kysely, sql, type Transaction } from 'kysely'
import { invalid } from '../base/errors.ts'
import { type OperatorReason, recordOperatorAction } from '../database/operator-audit.ts'
import { OUTBOX_DAYS } from './retention.ts'
import type { MessagingTables } from './tables.ts'
import type { Transport } from './transport.ts'

const BATCH = 200
const DAY_MS = 86_400_000

/**
 * Has the relay publish again every event that was published since `since`, and returns their number. Consumers that
 * have handled an event ignore it. Records the operator's action. Throws 400 `since_too_old` for a time of which the
 * outbox may have deleted events.
 */
export async function requestRepublication(
  trx: Transaction<MessagingTables>,
  { since, operator, reason }: OperatorReason & { since: Date },
): Promise<number> {
  if (since.getTime() < Date.now() - OUTBOX_DAYS * DAY_MS)
    throw invalid('since_too_old', `Published events are kept for ${OUTBOX_DAYS} days: choose a later time`)
  const { count, first, last } = await trx
    .selectFrom('outbox')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<number | null>('seq').as('first'),
      fn.max<number | null>('seq').as('last'),
    ])
    .where('publishedAt', '>=', since)
    .executeTakeFirstOrThrow()
  await recordOperatorAction(trx, { action: 'republish', subject: since.toISOString(), operator, reason })
  if (first === null || last === null) return 0
  await trx.insertInto('republication').values({ since, nextSeq: first, lastSeq: last, endedAt: null }).execute()
  await sql`select pg_notify('outbox', '')`.execute(trx)
  return count
}

/**
 * Publishes the next batch of the oldest republication, in the order of `seq`; false when none is open. A batch that is
 * interrupted is published again. Other events are published after the last batch, so that none overtakes an earlier
 * one of its key.
 */
export async function republishBatch(
  db: Kysely<MessagingTables>,
  transport: Pick<Transport, 'publish'>,
): Promise<boolean> {
  const open = await db
    .selectFrom('republication')
    .selectAll()
    .where('endedAt', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (!open) return false

  const events = await db
    .selectFrom('outbox')
    .select(['id', 'seq', 'topic', 'key', 'name', 'data', 'correlationId', 'traceparent'])
    .where('seq', '>=', open.nextSeq)
    .where('seq', '<=', open.lastSeq)
    .where('publishedAt', '>=', open.since)
    .orderBy('seq')
    .limit(BATCH)
    .execute()
  const last = events.at(-1)
  if (last) await transport.publish(events.map(({ seq: _, ...message }) => message))
  await db
    .updateTable('republication')
    .set(last ? { nextSeq: last.seq + 1 } : { endedAt: new Date() })
    .where('id', '=', open.id)
    .execute()
  return true
}

/** True while events are being published again. */
export async function isRepublishing(db: Kysely<MessagingTables>): Promise<boolean> {
  return (await db.selectFrom('republication').select('id').where('endedAt', 'is', null).execute()).length > 0
}
