import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import { isAcknowledgedRow } from '../alarms/acknowledgement.ts'
import type { Database, Run } from '../db.ts'
import { lockOrders } from '../orders/order.store.ts'
import type { ComparedOrder } from './compare-order.ts'
import { type Difference, type DifferenceKind, stepAfter } from './reconciliation.ts'

/** Clocks differ, and a transaction commits after the time that it stores: periods overlap by this. */
const OVERLAP = sql`interval '15 minutes'`

export const runningRun = (db: Kysely<Database>): Promise<Run | undefined> =>
  db.selectFrom('reconciliation').selectAll().where('finishedAt', 'is', null).executeTakeFirst()

/** The running one, or else the newest. */
export const newestRun = (db: Kysely<Database>): Promise<Run | undefined> =>
  db.selectFrom('reconciliation').selectAll().orderBy('id', 'desc').limit(1).executeTakeFirst()

/**
 * Starts a run from the end of the last finished one on, or from `since`, or of everything. Returns undefined while
 * another run is not finished.
 */
export async function insertRun(
  db: Kysely<Database>,
  { since, isFull }: { since: Date | null; isFull: boolean },
): Promise<Run | undefined> {
  const agreedUntil = sql<Date>`coalesce(
    ${isFull ? null : since}::timestamptz,
    case when not ${isFull}::boolean then (select max(until) from reconciliation where finished_at is not null) end,
    (select min(ran_at) - interval '1 day' from migration)) - ${OVERLAP}`
  return db
    .insertInto('reconciliation')
    .values({ since: agreedUntil, isFull, step: stepAfter(null, isFull), cursor: null, error: null, finishedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** The newest run, or the first order, is older than the interval. */
const isRunDue = (everyMs: number) => sql<boolean>`coalesce(
  coalesce((select max(until) from reconciliation), (select min(created_at) from orders))
    < now() - make_interval(secs => ${everyMs / 1000}), false)`

/** Starts a run that is due. */
export async function insertDueRun(db: Kysely<Database>, everyMs: number) {
  const { rows } = await sql<{ due: boolean }>`select ${isRunDue(everyMs)} as due`.execute(db)
  if (rows[0]!.due) await insertRun(db, { since: null, isFull: false })
}

/** Whether a page of the unfinished run, or a new run, is due. */
export async function isPageDue(db: Kysely<Database>, everyMs: number): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    select ${isRunDue(everyMs)}
      or exists (select from reconciliation where finished_at is null and next_page_at <= now()) as due`.execute(db)
  return rows[0]!.due
}

/** Locks the unfinished run if its next page is due and no other process has it. */
export const lockRun = (trx: Transaction<Database>): Promise<Run | undefined> =>
  trx
    .selectFrom('reconciliation')
    .selectAll()
    .where('finishedAt', 'is', null)
    .where('nextPageAt', '<=', sql<Date>`now()`)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()

type RunChanges = Pick<Run, 'step' | 'cursor' | 'compared' | 'ours' | 'processor'> & { nextPageInMs: number }

/** Stores the place after a page; a run without a next step is finished. */
export async function saveRun(trx: Transaction<Database>, id: string, { nextPageInMs, ...changes }: RunChanges) {
  const isFinished = changes.step === null
  await trx
    .updateTable('reconciliation')
    .set({
      step: changes.step,
      cursor: changes.cursor,
      compared: JSON.stringify(changes.compared),
      ours: JSON.stringify(changes.ours),
      processor: JSON.stringify(changes.processor),
      nextPageAt: sql<Date>`now() + make_interval(secs => ${nextPageInMs / 1000})`,
      failures: 0,
      error: null,
      ...(isFinished
        ? {
            finishedAt: sql<Date>`clock_timestamp()`,
            differences: sql<number>`(select count(*) from reconciliation_difference where not ${isAcknowledgedRow})`,
          }
        : {}),
    })
    .where('id', '=', id)
    .execute()
}

/** Repeats a failed page later, with exponential backoff up to 1 min. */
export async function postponePage(db: Kysely<Database>, id: string, error: string) {
  await db
    .updateTable('reconciliation')
    .set({
      error,
      failures: sql`failures + 1`,
      nextPageAt: sql<Date>`now() + make_interval(secs => least(power(2, least(failures, 10)), 60))`,
    })
    .where('id', '=', id)
    .execute()
}

/** An acknowledgement ends when the detail changes. */
export async function saveDifferences(trx: Transaction<Database>, differences: Difference[]) {
  if (differences.length === 0) return
  await trx
    .insertInto('reconciliationDifference')
    .values(differences)
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .doUpdateSet((eb) => ({
          orderId: eb.ref('excluded.orderId'),
          intentId: eb.ref('excluded.intentId'),
          detail: eb.ref('excluded.detail'),
          acknowledgedAt: null,
          acknowledgedBy: null,
          acknowledgedReason: null,
          acknowledgedUntil: null,
        }))
        .where(sql<boolean>`(reconciliation_difference.detail, reconciliation_difference.intent_id)
          is distinct from (excluded.detail, excluded.intent_id)`),
    )
    .execute()
}

export async function deleteDifferences(trx: Transaction<Database>, kind: DifferenceKind, subjects: string[]) {
  if (subjects.length === 0) return
  await trx
    .deleteFrom('reconciliationDifference')
    .where('kind', '=', kind)
    .where('subject', '=', anyOf(subjects))
    .execute()
}

/** The differences of a kind, at most `limit`, those after a subject. */
export const differencesOf = (
  db: Kysely<Database>,
  kind: DifferenceKind,
  { after, limit }: { after: string; limit: number },
) =>
  db
    .selectFrom('reconciliationDifference')
    .selectAll()
    .where('kind', '=', kind)
    .where('subject', '>', after)
    .orderBy('subject')
    .limit(limit)
    .execute()

/** Requires that a run compares these orders. */
export async function markUnreconciled(trx: Transaction<Database>, orderIds: string[]) {
  if (orderIds.length === 0) return
  await lockOrders(trx, orderIds)
  await trx
    .updateTable('orders')
    .set({ unreconciledChanges: sql`unreconciled_changes + 1` })
    .where('id', '=', anyOf(orderIds))
    .execute()
}

/**
 * Marks orders that agree, except those whose money changed since they were read. Returns the ids of the marked ones.
 */
export async function markReconciled(trx: Transaction<Database>, orders: ComparedOrder[]): Promise<Set<string>> {
  if (orders.length === 0) return new Set()
  const ids = orders.map(({ id }) => id)
  await lockOrders(trx, ids)
  const changes = orders.map(({ unreconciledChanges }) => unreconciledChanges)
  const { rows } = await sql<{ id: string }>`
    update orders set unreconciled_changes = 0
    from unnest(${ids}::uuid[], ${changes}::int[]) as read (id, changes)
    where orders.id = read.id and orders.unreconciled_changes = read.changes returning orders.id`.execute(trx)
  await deleteDifferences(trx, 'order', ids)
  return new Set(rows.map(({ id }) => id))
}
