import type { orderLineContested } from '@nifty/events/payments'
import type { Kysely, Transaction } from 'kysely'
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

/** Whether a bank contests the payment with which this account bought the token. */
export async function isContested(db: Kysely<Database>, { token, userId }: { token: string; userId: string }) {
  const line = await db
    .selectFrom('contestedLine')
    .select('lineId')
    .where('token', '=', token)
    .where('buyerId', '=', userId)
    .where('contested', '=', true)
    .executeTakeFirst()
  return line !== undefined
}
