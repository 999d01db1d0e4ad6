import { type Kysely, type QueryCreator, sql } from 'kysely'
import type { Log } from '../base/logs.ts'
import { anyOf } from '../database/database.ts'
import { POLL_MS, startLeader } from '../database/leader.ts'
import type { Message } from './message.ts'
import { republishBatch } from './republication.ts'
import type { MessagingTables } from './tables.ts'
import type { Transport } from './transport.ts'

const BATCH = 200
/**
 * How long published events wait to be marked by the statement that reads the next ones. A crash publishes them again.
 */
const MARK_WITHIN_MS = 2_000

/**
 * True; the transaction commits without waiting for the disk. Marks that a crash of the database loses are made again
 * after their events were published again. https://www.postgresql.org/docs/current/wal-async-commit.html
 */
const withoutFlush = sql<boolean>`set_config('synchronous_commit', 'off', true) = 'off'`

/** One row, also when no event waits. */
const isRepublishing = sql<{ republishing: boolean }>`(
  select exists (select from republication where ended_at is null) as republishing)`

type Waiting = Message & { traceparent: string | null }

type Publish = Pick<Transport, 'publish'>

/** Publishes the outbox; keeps in memory which events it has published and not marked. */
export function createRelay(db: Kysely<MessagingTables>, transport: Publish) {
  let unmarked: string[] = []
  let republishing = false

  const marking = (within: QueryCreator<MessagingTables>) =>
    within.updateTable('outbox').set({ publishedAt: new Date() }).where('id', '=', anyOf(unmarked)).where(withoutFlush)

  return {
    isMarked: () => unmarked.length === 0,

    /** Whether events are to be published again, as the last run read it. */
    isRepublishing: () => republishing,

    mark: async () => {
      if (unmarked.length > 0) await marking(db).execute()
      unmarked = []
    },

    /**
     * Marks the batch that was published last, and publishes the oldest one that waits, in the order of `seq`. It keeps
     * no high-water mark, so a row whose transaction commits late is published late and never skipped. Returns the
     * number of events: none while events are published again.
     */
    run: async (): Promise<number> => {
      // A statement without marks does not wait for a lock on the table.
      const marked: QueryCreator<MessagingTables> = unmarked.length > 0 ? db.with('marked', marking) : db
      const oldest = db
        .selectFrom('outbox')
        .select(['seq', 'id', 'topic', 'key', 'name', 'data', 'correlationId', 'traceparent'])
        .where('publishedAt', 'is', null)
        // The statement does not see its own marks.
        .where(sql<boolean>`id <> all(${unmarked}::uuid[])`)
        .where(sql<boolean>`not exists (select from republication where ended_at is null)`)
        .orderBy('seq')
        .limit(BATCH)
        .as('oldest')
      const rows = await marked
        .selectFrom(isRepublishing.as('state'))
        .leftJoin(oldest, (join) => join.onTrue())
        .selectAll()
        .orderBy('oldest.seq')
        .execute()
      republishing = rows[0]!.republishing
      const waiting = rows.flatMap(({ republishing: _, seq, ...message }) => (seq === null ? [] : (message as Waiting)))
      unmarked = []
      if (waiting.length === 0) return 0

      await transport.publish(waiting)
      unmarked = waiting.map(({ id }) => id)
      return waiting.length
    },
  }
}

/** Publishes the outbox continuously. One replica of a service does so at a time, which keeps the order per key. */
export function startRelay({
  db,
  url,
  transport,
  log,
}: {
  db: Kysely<MessagingTables>
  url: string
  transport: Publish
  log: Log
}) {
  const relay = createRelay(db, transport)
  return startLeader({
    url,
    channel: 'outbox',
    lock: { kind: 4712, name: 'relay' },
    work: async () => {
      const published = await relay.run()
      if (published === BATCH || (relay.isRepublishing() && (await republishBatch(db, transport)))) return 0
      return relay.isMarked() ? POLL_MS : MARK_WITHIN_MS
    },
    finish: relay.mark,
    log,
  })
}
