import { conflict } from '@nifty/service-kit/base/errors'
import type { Kysely, Transaction } from 'kysely'
import type { Database, Item } from '../db.ts'

type ContestedLine = { lineId: string; itemId: string; buyerId: string; contested: boolean; at: string }

/** Returns false, and stores nothing, when a later event of the line was stored before. */
export async function saveContestedLine(trx: Transaction<Database>, line: ContestedLine): Promise<boolean> {
  const { contested, at } = line
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('contestedLine')
    .values(line)
    .onConflict((conflict) =>
      conflict.column('lineId').doUpdateSet({ contested, at }).where('contestedLine.at', '<', new Date(at)),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** Throws 409 `work_contested` while a bank contests the payment with which its owner bought the item. */
export async function requireUncontested(db: Kysely<Database>, { id, ownerId }: Pick<Item, 'id' | 'ownerId'>) {
  const contested = await db
    .selectFrom('contestedLine')
    .select('lineId')
    .where('itemId', '=', id)
    .where('buyerId', '=', ownerId)
    .where('contested', '=', true)
    .executeTakeFirst()
  if (!contested) return
  throw conflict(
    'work_contested',
    'The payment for this work is being examined. Until that is decided it stays as it is.',
  )
}
