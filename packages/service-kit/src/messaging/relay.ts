import type { Kysely } from 'kysely'
import { startLeader } from '../leader.ts'
import type { Log } from '../logs.ts'
import type { MessagingTables } from './tables.ts'
import type { Transport } from './transport.ts'

const BATCH = 200

/**
 * Sends what waits in the outbox, smallest number first. No high-water mark: a row whose transaction commits late is
 * sent late, never skipped. Returns how many were sent.
 */
export async function relayOnce(db: Kysely<MessagingTables>, transport: Pick<Transport, 'publish'>): Promise<number> {
  const waiting = await db
    .selectFrom('outbox')
    .select(['id', 'topic', 'key', 'name', 'data', 'correlationId', 'traceparent'])
    .where('publishedAt', 'is', null)
    .orderBy('seq')
    .limit(BATCH)
    .execute()
  if (waiting.length === 0) return 0

  await transport.publish(waiting)
  const ids = waiting.map(({ id }) => id)
  await db.updateTable('outbox').set({ publishedAt: new Date() }).where('id', 'in', ids).execute()
  return waiting.length
}

/** Keeps the outbox empty. One relay works per service, so that order per key holds with any number of replicas. */
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
    work: async () => (await relayOnce(db, transport)) === BATCH,
    log,
  })
