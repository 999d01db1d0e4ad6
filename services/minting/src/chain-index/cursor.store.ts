import type { Kysely, Transaction } from 'kysely'
import type { Database, Row } from '../db.ts'

export type Cursor = Row<'chainCursor'>

/** `fromBlock` is the first block to read. */
export const addCursor = (db: Kysely<Database>, collection: string, fromBlock: number) =>
  db
    .insertInto('chainCursor')
    .values({ collection, block: fromBlock - 1, blockHash: null, haltedReason: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const findCursor = (db: Kysely<Database>, collection: string) =>
  db.selectFrom('chainCursor').selectAll().where('collection', '=', collection).executeTakeFirst()

/** Serialises all changes of token owners: those of the index, and those of linked wallets. */
export const lockCursor = (trx: Transaction<Database>, collection: string) =>
  trx.selectFrom('chainCursor').selectAll().where('collection', '=', collection).forUpdate().executeTakeFirstOrThrow()

export const updateCursor = (
  trx: Transaction<Database>,
  collection: string,
  changes: { block?: number; blockHash?: string | null; haltedReason?: string | null },
) => trx.updateTable('chainCursor').set(changes).where('collection', '=', collection).execute()
