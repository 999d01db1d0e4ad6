import type { EventContract } from '@nifty/events/define-event'
import type { Kysely, Transaction } from 'kysely'
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'
import { currentContext } from '../logs.ts'
import { currentTraceparent } from '../traces/trace.ts'
import type { MessagingTables } from './tables.ts'

/** Records an event beside the change that caused it: both commit, or neither does. */
export async function publishEvent<Data extends TObject>(
  trx: Transaction<any>,
  event: EventContract<Data>,
  data: Static<Data>,
) {
  const checked = Value.Parse(event.data, data) as Record<string, unknown>
  await (trx as Transaction<MessagingTables>)
    .insertInto('outbox')
    .values({
      name: event.name,
      topic: event.topic,
      key: String(checked[event.key]),
      data: JSON.stringify(checked),
      correlationId: currentContext()?.correlationId ?? null,
      traceparent: currentTraceparent(),
      publishedAt: null,
    })
    .execute()
}

/** What could not be sent yet. */
export async function unpublishedEvents(db: Kysely<MessagingTables>): Promise<{ count: number; oldest: Date | null }> {
  return db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<Date | null>('createdAt').as('oldest')])
    .where('publishedAt', 'is', null)
    .executeTakeFirstOrThrow()
}
