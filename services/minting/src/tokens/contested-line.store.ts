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

/**
 * Whether a bank contests the payment with which this account bought the token, or that of its last sale into custody,
 * by which the recipient of a gift has it.
 */
export async function isContested(db: Kysely<Database>, { token, userId }: { token: string; userId: string }) {
  const line = await db
    .selectFrom('contestedLine')
    .select('lineId')
    .where('token', '=', token)
    .where('contested', '=', true)
    .where((eb) => eb.or([eb('buyerId', '=', userId), eb('lineId', '=', lastSaleOf(token))]))
    .executeTakeFirst()
  return line !== undefined
}

/** The line of the last sale of a token into custody; null without one. */
const lastSaleOf = (token: string) => sql<string>`(
  select line_id from delivery
  where token = ${token} and kind = 'sale' and state = 'final' and custody_account is not null
  order by block desc limit 1)`
