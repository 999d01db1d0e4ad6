import type { Insertable, Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** The latest holder of a token; exists before the item if the move was consumed before the mint. */
export function lockHolding(trx: Transaction<Database>, token: string) {
  return trx.selectFrom('holding').selectAll().where('token', '=', token).forUpdate().executeTakeFirst()
}

/** Returns false, and stores nothing, if a move at the same or a later chain position is stored already. */
export async function saveHolding(trx: Transaction<Database>, holding: Insertable<Database['holding']>) {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('holding')
    .values(holding)
    .onConflict((conflict) =>
      conflict.column('token').doUpdateSet(holding).where('holding.position', '<', holding.position),
    )
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}
