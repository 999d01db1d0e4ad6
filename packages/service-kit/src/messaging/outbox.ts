import type { EventContract } from '@nifty/events/define-event'
import type { Kysely, Transaction } from 'kysely'
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'
import { currentContext } from '../base/logs.ts'
import { currentTraceparent } from '../base/trace.ts'
import { toRow } from './message.ts'
import type { MessagingTables } from './tables.ts'

/**
 * Stores an event in the outbox of the transaction that caused it: both commit, or neither does. The relay publishes
 * it. Throws if the data does not match the event's schema.
 */
export async function publishEvent<Data extends TObject>(
  trx: Transaction<any>,
  event: EventContract<Data>,
  data: Static<Data>,
) {
  const checked = Value.Parse(event.data, data) as Record<string, unknown>
  await (trx as Transaction<MessagingTables>)
    .insertInto('outbox')
    .values({
      ...toRow({
        name: event.name,
        topic: event.topic,
        key: String(checked[event.key]),
        data: checked,
        correlationId: currentContext()?.correlationId ?? null,
        traceparent: currentTraceparent(),
      }),
      publishedAt: null,
    })
    .execute()
}

/** Number and age of the events that the relay has not published yet. */
export async function unpublishedEvents(db: Kysely<MessagingTables>): Promise<{ count: number; oldest: Date | null }> {
  return db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<Date | null>('createdAt').as('oldest')])
    .where('publishedAt', 'is', null)
    .executeTakeFirstOrThrow()
}
