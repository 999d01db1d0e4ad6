import { currentTraceparent } from '@nifty/service-kit/traces/trace'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { type EventSummary, withoutNews } from './webhook.ts'

export type StoredEvent = Selectable<Database['stripeInbox']>

/**
 * An event without news is stored as handled, in one statement, where `handleWaitingEvent` would find its order: that of its
 * payment, or the one that its metadata names while that has a session and no payment.
 */
function handledIfWithoutNews({ type, intentId, orderId }: EventSummary) {
  const when = withoutNews.get(type)
  if (!when) return { handledAt: null, outcome: null }
  const order = sql`from orders
    where (intent_id = ${intentId} or id = ${orderId}::uuid and session_id is not null and intent_id is null)
      and (${when === 'always'}::boolean or capture_requested_at is not null) limit 1`
  return { handledAt: sql<Date>`(select now() ${order})`, outcome: sql<string>`(select 'no news' ${order})` }
}

/** Stores new events and returns their number. Events that are stored already are skipped. */
export async function storeEvents(
  db: Kysely<Database>,
  events: EventSummary[],
  { fetched }: { fetched: boolean },
): Promise<number> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('stripeInbox')
    .values(
      events.map((event) => ({
        ...event,
        fetched,
        facts: JSON.stringify(event.facts),
        traceparent: currentTraceparent(),
        ...handledIfWithoutNews(event),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Number(numInsertedOrUpdatedRows)
}

const waitingEvents = (db: Kysely<Database>, atMost: number) =>
  db
    .selectFrom('stripeInbox')
    .where('handledAt', 'is', null)
    .where('dueAt', '<=', sql<Date>`now()`)
    .orderBy('dueAt')
    .limit(atMost)
    .forUpdate()
    .skipLocked()

/** Waiting events that no worker has locked, at most `atMost`. */
export const countWaitingEvents = async (db: Kysely<Database>, atMost: number) =>
  (await waitingEvents(db, atMost).select('eventId').execute()).length

export const lockWaitingEvent = (trx: Transaction<Database>): Promise<StoredEvent | undefined> =>
  waitingEvents(trx, 1).selectAll().executeTakeFirst()

export async function markHandled(trx: Transaction<Database>, eventId: string, outcome: string) {
  await trx
    .updateTable('stripeInbox')
    .set({ handledAt: sql<Date>`now()`, outcome })
    .where('eventId', '=', eventId)
    .execute()
}

/** Schedules the retry of a failed event, with exponential backoff up to 1 min. */
export async function postponeEvent(db: Kysely<Database>, eventId: string) {
  await db
    .updateTable('stripeInbox')
    .set({
      failures: sql`failures + 1`,
      dueAt: sql<Date>`now() + make_interval(secs => least(power(2, least(failures, 10)), 60))`,
    })
    .where('eventId', '=', eventId)
    .execute()
}

/** The order with the event's session or intent; else the one that its metadata names, if it has no other session. */
export async function orderOfEvent(db: Kysely<Database>, { sessionId, intentId, orderId }: StoredEvent) {
  const mine = await db
    .selectFrom('orders')
    .selectAll()
    .where((eb) => eb.or([eb('sessionId', '=', sessionId), eb('intentId', '=', intentId)]))
    .executeTakeFirst()
  if (mine || !orderId) return mine
  const claimed = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirst()
  const isAnotherSession = claimed?.sessionId && sessionId && claimed.sessionId !== sessionId
  const isAnotherIntent = claimed?.intentId && intentId && claimed.intentId !== intentId
  return isAnotherSession || isAnotherIntent ? undefined : claimed
}

/**
 * How long handled events are kept. Webhooks are retried for three days, the back-fill reads three days before the newest event, and
 * the processor lists events of 30 days: a deleted event does not come again. Disputes may follow for 120 days, and the history
 * of an order shows its events.
 */
const KEPT_DAYS = 180
/** Rows of one statement. */
const DELETED_AT_ONCE = 5_000

/** Deletes old handled events. The newest event stays: the back-fill starts at it. */
export async function deleteOldEvents(db: Kysely<Database>) {
  for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE; ) {
    const { numAffectedRows } = await sql`
      delete from stripe_inbox where event_id in (
        select event_id from stripe_inbox where handled_at is not null
          and created < least(now() - make_interval(days => ${KEPT_DAYS}), (select max(created) from stripe_inbox))
        order by created limit ${DELETED_AT_ONCE})`.execute(db)
    deleted = Number(numAffectedRows ?? 0)
  }
}

/** When the processor created the newest stored event; null before the first. */
export async function lastEventAt(db: Kysely<Database>): Promise<Date | null> {
  const row = await db
    .selectFrom('stripeInbox')
    .select(({ fn }) => fn.max('created').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}
