import { type Kysely, sql } from 'kysely'
import { anyOf } from '../database.ts'
import { startLeader } from '../leader.ts'
import type { Log } from '../logs.ts'
import { republishBatch } from './republication.ts'
import type { MessagingTables } from './tables.ts'
import type { Transport } from './transport.ts'

const BATCH = 200

/**
 * Publishes the oldest batch of the outbox in the order of `seq`. It keeps no high-water mark, so a row whose transaction
 * commits late is published late and never skipped. Returns the number of events: none while events are published again.
 */
export async function relayOnce(db: Kysely<MessagingTables>, transport: Pick<Transport, 'publish'>): Promise<number> {
  const waiting = await db
    .selectFrom('outbox')
    .select(['id', 'topic', 'key', 'name', 'data', 'correlationId', 'traceparent'])
    .where('publishedAt', 'is', null)
    .where(sql<boolean>`not exists (select from republication where ended_at is null)`)
    .orderBy('seq')
    .limit(BATCH)
    .execute()
  if (waiting.length === 0) return 0

  await transport.publish(waiting)
  const ids = waiting.map(({ id }) => id)
  await db.updateTable('outbox').set({ publishedAt: new Date() }).where('id', '=', anyOf(ids)).execute()
  return waiting.length
}

/** Publishes the outbox continuously. One replica of a service does so at a time, which keeps the order per key. */
export const startRelay = ({
  db,
  url,
  transport,
  log,
}: {
  db: Kysely<MessagingTables>
  url: string
  transport: Pick<Transport, 'publish'>
  log: Log
}) =>
  startLeader({
    url,
    channel: 'outbox',
    lock: { kind: 4712, name: 'relay' },
    work: async () => {
      const published = await relayOnce(db, transport)
      return published === 0 ? republishBatch(db, transport) : published === BATCH
    },
    log,
  })
