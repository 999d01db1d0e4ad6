import { type Kysely, sql, type Transaction } from 'kysely'
import type { Bearer } from '../books/book.ts'
import type { Database, Reversal } from '../db.ts'
import type { ProcessorReversal } from '../processor/reversal.ts'

export const findReversal = (db: Kysely<Database>, id: string): Promise<Reversal | undefined> =>
  db.selectFrom('reversal').selectAll().where('id', '=', id).executeTakeFirst()

/** All refunds, disputes and warnings of an order, oldest first. */
export const reversalsOf = (db: Kysely<Database>, orderId: string): Promise<Reversal[]> =>
  db.selectFrom('reversal').selectAll().where('orderId', '=', orderId).orderBy('createdAt').orderBy('id').execute()

type Saved = Omit<ProcessorReversal, 'refundKey'> & { orderId: string; refundId: string | null }

/** Stores a reversal as the processor has it now; what an operator assigned is kept. */
export async function saveReversal(trx: Transaction<Database>, reversal: Saved): Promise<Reversal> {
  const { status, reason, amountCents, withdrawnCents, dueBy } = reversal
  return trx
    .insertInto('reversal')
    .values({ ...reversal, cleared: null })
    .onConflict((held) => held.column('id').doUpdateSet({ status, reason, amountCents, withdrawnCents, dueBy }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Changes = Partial<Pick<Reversal, 'lineIds' | 'published' | 'failurePublished' | 'cleared'> & { borneBy: Bearer }>

export async function changeReversal(trx: Transaction<Database>, id: string, changes: Changes) {
  await trx.updateTable('reversal').set(changes).where('id', '=', id).execute()
}

/** Marks exactly these reversals of an order as ambiguous. */
export async function markAmbiguous(trx: Transaction<Database>, orderId: string, ids: string[]) {
  await trx
    .updateTable('reversal')
    .set({ ambiguous: sql<boolean>`id = any(${ids}::text[])` })
    .where('orderId', '=', orderId)
    .execute()
}

const UNDECIDED_AT_MOST = 500

const isUndecidedObjection = sql<boolean>`(reversal.kind = 'fraud_warning' and reversal.cleared is null
  or reversal.kind = 'dispute' and reversal.status not in ('won', 'lost', 'warning_closed', 'prevented'))`

/** Disputes, inquiries and warnings that are not decided, oldest first. The index `reversal_undecided` has them. */
export const undecidedReversals = (db: Kysely<Database>): Promise<(Reversal & { buyerId: string })[]> =>
  db
    .selectFrom('reversal')
    .innerJoin('orders', 'orders.id', 'reversal.orderId')
    .selectAll('reversal')
    .select('orders.buyerId')
    .where(isUndecidedObjection)
    .orderBy('reversal.createdAt')
    .limit(UNDECIDED_AT_MOST)
    .execute()

/** Orders with disputes, inquiries or warnings that are not decided, and a line for which that was never stored. */
export async function ordersToContest(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ orderId: string }>`
    select distinct order_id from reversal where ${isUndecidedObjection} and exists (
      select from line left join contested_line on contested_line.line_id = line.id
      where line.order_id = reversal.order_id and line.seller_id is not null and contested_line.line_id is null)
    limit ${UNDECIDED_AT_MOST}`.execute(db)
  return rows.map(({ orderId }) => orderId)
}

/** The buyer's lost disputes refuse no purchase any more. Returns the number of those that did. */
export async function allowBuyer(trx: Transaction<Database>, buyerId: string): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('reversal')
    .set({ buyerAllowed: true })
    .where('kind', '=', 'dispute')
    .where('status', '=', 'lost')
    .where('buyerAllowed', '=', false)
    .where('orderId', 'in', (eb) => eb.selectFrom('orders').select('id').where('buyerId', '=', buyerId))
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}
