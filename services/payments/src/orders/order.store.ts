import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { CancelRequestedBy, Database, Order } from '../db.ts'

/** An order under lock. `now` is the database's time at the start of the transaction. */
export type LockedOrder = Order & { now: Date }

const nowColumn = sql<Date>`now()`.as('now')

/**
 * Locks one order. `no key update` does not block inserts of rows that refer to it.
 *
 * The sequence of locks in payments, without which transactions wait for each other in a circle: a reconciliation run
 * or a webhook event; a buyer; orders by their ids; rows of an order.
 */
export function lockOrder(trx: Transaction<Database>, id: string): Promise<LockedOrder | undefined> {
  return trx.selectFrom('orders').selectAll().select(nowColumn).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Locks several orders, by their ids. */
export const lockOrders = async (trx: Transaction<Database>, ids: string[]) =>
  ids.length > 0 &&
  trx.selectFrom('orders').select('id').where('id', '=', anyOf(ids)).orderBy('id').forNoKeyUpdate().execute()

/** `poll`: the next run only reads whether an open page was paid. `work`: everything else. */
export type DueKind = 'work' | 'poll'

const due = (db: Kysely<Database>, kind: DueKind) =>
  db
    .selectFrom('orders')
    .where('nextRunIsPoll', '=', kind === 'poll')
    .where(sql<boolean>`next_run_at <= now()`)
    .forNoKeyUpdate()
    .skipLocked()

/** Whether an order is due that no worker has locked. */
export const isOrderDue = async (db: Kysely<Database>, kind: DueKind): Promise<boolean> =>
  (await due(db, kind).select('id').limit(1).executeTakeFirst()) !== undefined

/** Locks the order that has been due longest. Skips those locked by another worker. */
export const lockDueOrder = (trx: Transaction<Database>, kind: DueKind): Promise<LockedOrder | undefined> =>
  due(trx, kind).selectAll().select(nowColumn).orderBy('nextRunAt').limit(1).executeTakeFirst()

export const findOrder = (db: Kysely<Database>, id: string): Promise<Order | undefined> =>
  db.selectFrom('orders').selectAll().where('id', '=', id).executeTakeFirst()

/** `sessionRequest`: JSON text. */
export type OrderChanges = Partial<
  Pick<
    Order,
    | 'sessionRequestedAt'
    | 'sessionNumber'
    | 'sessionId'
    | 'sessionUrl'
    | 'intentId'
    | 'money'
    | 'heldCents'
    | 'authorisedAt'
    | 'deliverBy'
    | 'decideBy'
    | 'auctionId'
    | 'captureBefore'
    | 'captureCents'
    | 'captureAttempt'
    | 'captureRequestedAt'
    | 'capturedCents'
    | 'cancelRequestedBy'
    | 'gift'
    | 'declined'
  >
> & { sessionRequest?: string }

export async function changeOrder(trx: Transaction<Database>, id: string, changes: OrderChanges) {
  await trx.updateTable('orders').set(changes).where('id', '=', id).execute()
}

const inMs = (ms: number) => sql<Date>`now() + make_interval(secs => ${ms / 1000})`

/**
 * Schedules the next run after a successful one; null: none until an event or a request wakes the order. Stores
 * `changes` in the same statement.
 */
export async function scheduleNextRun(
  trx: Transaction<Database>,
  id: string,
  { nextRunInMs, isPoll = false, changes }: { nextRunInMs: number | null; isPoll?: boolean; changes?: OrderChanges },
) {
  const nextRunAt = nextRunInMs === null ? null : inMs(nextRunInMs)
  await trx
    .updateTable('orders')
    .set({ ...changes, nextRunAt, nextRunIsPoll: isPoll, failures: 0 })
    .where('id', '=', id)
    .execute()
}

/** Makes an order due now, before all polls, and reports it to the workers of all processes. */
export async function wakeOrder(db: Kysely<Database>, id: string) {
  await sql`
    with woken as (update orders set next_run_at = now(), next_run_is_poll = false where id = ${id})
    select pg_notify('work', 'orders:' || ${id}::text)`.execute(db)
}

/**
 * Makes held offers and bids due that have no next run: a process of a release without them gave back their holds, and
 * left their lines.
 */
export async function wakeIdleBids(db: Kysely<Database>) {
  await sql`
    update orders set next_run_at = now(), next_run_is_poll = false
    where next_run_at is null and id in (select order_id from line where state = 'held')`.execute(db)
}

/** Schedules the next run after a failed one, with exponential backoff from 1 s to 1 min. */
export async function scheduleRetry(db: Kysely<Database>, id: string) {
  await db
    .updateTable('orders')
    .set({
      failures: sql`failures + 1`,
      nextRunAt: sql<Date>`now() + make_interval(secs => least(power(2, least(failures, 10)), 60))`,
    })
    .where('id', '=', id)
    .execute()
}

export async function setCancelRequest(trx: Transaction<Database>, id: string, by: CancelRequestedBy | null) {
  await trx.updateTable('orders').set({ cancelRequestedBy: by }).where('id', '=', id).execute()
}
