import { TEST_EVENT } from '@nifty/api/payments/processor-events'
import { currentTraceparent, inSpan } from '@nifty/service-kit/base/trace'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database, Order } from '../db.ts'
import { DECLINED, type EventSummary, handlingOf, onlyWakes, type ReceivedEvent, withoutNews } from './webhook.ts'

export type StoredEvent = Selectable<Database['stripeInbox']>

/** Outcome of an event about a payment that does not carry this store's id; a metric counts it. */
export const OF_ANOTHER_SHOP = 'of another shop'

export const NOT_ABOUT_A_PAYMENT = 'not about a payment'

type WokenOrder = Pick<Order, 'id' | 'traceparent'> & { session_id: string }

/** Has the trace of the current request. */
export const received = (event: EventSummary): ReceivedEvent => ({ ...event, traceparent: currentTraceparent() })

/**
 * Stores new events, in one statement of one text, and returns their number. Events that are stored already are
 * skipped. Three kinds are stored as handled, where `handleWaitingEvent` would do no more and find the same order:
 *
 * - about no payment, such as those of Customers;
 * - without news to an order: that of its payment, or the one that its metadata names while that has a session and no
 *   payment;
 * - about the session of an order, which is woken here. One that is locked is left to `handleWaitingEvent`: the step
 *   that has the lock schedules the next run at its end.
 *
 * Sorted, so that two statements with the same events do not wait for each other.
 */
export async function storeEvents(
  db: Kysely<Database>,
  events: ReceivedEvent[],
  { fetched }: { fetched: boolean },
): Promise<number> {
  const rows = events.map((event) => ({
    ...event,
    withoutNews: withoutNews.get(event.type),
    wakes: onlyWakes(event),
  }))
  const { rows: stored } = await sql<{ count: number; woken: WokenOrder[] }>`
    with event as (
      select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as event (
        "eventId" text, type text, created timestamptz, "sessionId" text, "intentId" text, "orderId" uuid, subject text,
        traceparent text, "withoutNews" text, wakes boolean)
    ), of_session as (
      select id, session_id from orders
      where session_id in (
        select "sessionId" from event
        where wakes and not exists (select from stripe_inbox where event_id = "eventId"))
      for no key update skip locked
    ), stored as (
      insert into stripe_inbox (
        event_id, type, created, session_id, intent_id, order_id, subject, traceparent, fetched, outcome, handled_at)
      select "eventId", type, created, "sessionId", "intentId", "orderId", subject, traceparent, ${fetched}::boolean,
        outcome, case when outcome is not null then now() end
      from event cross join lateral (select case
        when "sessionId" is null and "intentId" is null then ${NOT_ABOUT_A_PAYMENT}
        when wakes and "sessionId" in (select session_id from of_session) then 'order woken'
        when exists (
          select from orders
          where (intent_id = "intentId" or id = "orderId" and session_id is not null and intent_id is null)
            and ("withoutNews" = 'always' or "withoutNews" = 'after_capture_request' and capture_requested_at is not null))
          then 'no news' end as outcome) handling
      order by "eventId"
      on conflict do nothing
      returning event_id
    ), woken as (
      update orders set next_run_at = now(), next_run_is_poll = false where id in (select id from of_session)
      returning id, session_id, traceparent
    )
    select (select count(*) from stored) as count, (select count(pg_notify('work', 'orders:' || id)) from woken) as reported,
      (select coalesce(json_agg(woken), '[]') from woken) as woken`.execute(db)
  const { count, woken } = stored[0]!
  for (const order of woken)
    for (const event of rows.filter(({ wakes, sessionId }) => wakes && sessionId === order.session_id))
      await inSpan(handlingOf(event, order), async () => {})
  return count
}

const waitingEvent = (db: Kysely<Database>) =>
  db
    .selectFrom('stripeInbox')
    .where('handledAt', 'is', null)
    .where('dueAt', '<=', sql<Date>`now()`)
    .orderBy('dueAt')
    .limit(1)
    .forUpdate()
    .skipLocked()

/** Whether an event waits that no worker has locked. */
export const isEventWaiting = async (db: Kysely<Database>): Promise<boolean> =>
  (await waitingEvent(db).select('eventId').executeTakeFirst()) !== undefined

export const lockWaitingEvent = (trx: Transaction<Database>): Promise<StoredEvent | undefined> =>
  waitingEvent(trx).selectAll().executeTakeFirst()

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

/** How often the page of an order declined a card. Each attempt has an event of its own. */
export async function countDeclines(db: Kysely<Database>, orderId: string): Promise<number> {
  const { count } = await db
    .selectFrom('stripeInbox')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('orderId', '=', orderId)
    .where('type', '=', DECLINED)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * How long handled events are kept. Webhooks are retried for three days, the back-fill reads three days before the
 * newest event, and the processor lists events of 30 days: a deleted event does not come again. Disputes may follow for
 * 120 days, and the history of an order shows its events.
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

/** When the newest event arrived that the processor sent; null before the first. */
export async function lastWebhookAt(db: Kysely<Database>): Promise<Date | null> {
  const row = await db
    .selectFrom('stripeInbox')
    .select('receivedAt')
    .where('fetched', '=', false)
    .where('type', '!=', TEST_EVENT)
    .orderBy('created', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.receivedAt ?? null
}

/** When the processor created the newest stored event; null before the first. */
export async function lastEventAt(db: Kysely<Database>): Promise<Date | null> {
  const row = await db
    .selectFrom('stripeInbox')
    .select(({ fn }) => fn.max('created').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}
