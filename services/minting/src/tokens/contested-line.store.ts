import type { orderLineContested } from '@nifty/events/payments'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'

type Line = Static<typeof orderLineContested.data>

/** Returns false, and stores nothing, when a later event of the line was stored before. */
export async function saveContestedLine(
  trx: Transaction<Database>,
  { lineId, token, buyerId, at: time }: Line,
  contested: 'contested' | 'cleared',
): Promise<boolean> {
  const at = new Date(time)
  const change = { contested: contested === 'contested', at }
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('contestedLine')
    .values({ lineId, token, buyerId, ...change })
    .onConflict((conflict) => conflict.column('lineId').doUpdateSet(change).where('contestedLine.at', '<', at))
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** The line of the last sale of a token; null without one. */
const lastSaleOf = (token: string) => sql<string>`(
  select line_id from delivery
  where token = ${token} and kind = 'sale' and state = 'final'
  order by block desc limit 1)`

type Of = { token: string; userId: string }

/**
 * Whether a bank contests the payment with which this account bought the token, or, where it has the token as a gift,
 * that of its last sale.
 */
export const paymentIsContested = ({ token, userId }: Of) => sql<boolean>`exists (
  select from contested_line
  where token = ${token} and contested and (buyer_id = ${userId}
    or line_id = ${lastSaleOf(token)} and exists (select from gift where token = ${token} and recipient_id = ${userId})))`

export async function isContested(db: Kysely<Database>, of: Of): Promise<boolean> {
  const { rows } = await sql<{ isContested: boolean }>`select ${paymentIsContested(of)} as is_contested`.execute(db)
  return rows[0]!.isContested
}
