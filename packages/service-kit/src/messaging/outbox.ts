import type { EventContract } from '@nifty/events/define-event'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Static, TObject } from 'typebox'
import { currentContext } from '../base/logs.ts'
import { currentTraceparent } from '../base/trace.ts'
import { eventData } from './event-data.ts'
import { toRow } from './message.ts'
import type { MessagingTables } from './tables.ts'

/** An event as the outbox stores it. */
export type OutboxEvent = ReturnType<typeof toRow>

/** Of the request that runs. Throws if the data does not match the event's schema. */
export function outboxEvent<Data extends TObject>(event: EventContract<Data>, data: Static<Data>): OutboxEvent {
  const checked = eventData(event).Parse(data) as Record<string, unknown>
  return toRow({
    name: event.name,
    topic: event.topic,
    key: String(checked[event.key]),
    data: checked,
    correlationId: currentContext()?.correlationId ?? null,
    traceparent: currentTraceparent(),
  })
}

/**
 * Stores events in the outbox of the transaction that caused them: all commit, or none does. The relay publishes them
 * in their order.
 */
export async function publishEvents(trx: Transaction<any>, events: OutboxEvent[]) {
  if (events.length === 0) return
  const column = <Name extends keyof OutboxEvent>(name: Name) => events.map((event) => event[name])
  // One text for lists of every length, which PostgreSQL prepares.
  await sql`
    insert into outbox (name, topic, key, data, correlation_id, traceparent)
    select name, topic, key, data::jsonb, correlation_id, traceparent
    from unnest(${column('name')}::text[], ${column('topic')}::text[], ${column('key')}::text[],
      ${column('data')}::text[], ${column('correlationId')}::text[], ${column('traceparent')}::text[])
      with ordinality as event (name, topic, key, data, correlation_id, traceparent, place)
    order by place`.execute(trx)
}

/** Stores one event, likewise. Throws if the data does not match the event's schema. */
export async function publishEvent<Data extends TObject>(
  trx: Transaction<any>,
  event: EventContract<Data>,
  data: Static<Data>,
) {
  await publishEvents(trx, [outboxEvent(event, data)])
}

/** Number and age of the events that the relay has not published yet. */
export async function unpublishedEvents(db: Kysely<MessagingTables>): Promise<{ count: number; oldest: Date | null }> {
  return db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min<Date | null>('createdAt').as('oldest')])
    .where('publishedAt', 'is', null)
    .executeTakeFirstOrThrow()
}
