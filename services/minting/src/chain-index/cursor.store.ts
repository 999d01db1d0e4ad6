import type { Kysely, Selectable, Transaction } from 'kysely'
import type { Database } from '../db.ts'

export type Cursor = Selectable<Database['chainCursor']>

/** `fromBlock` is the first block to read. */
export const addCursor = (db: Kysely<Database>, collection: string, fromBlock: number) =>
  db
    .insertInto('chainCursor')
    .values({ collection, block: fromBlock - 1, blockHash: null, trouble: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export const findCursor = (db: Kysely<Database>, collection: string) =>
  db.selectFrom('chainCursor').selectAll().where('collection', '=', collection).executeTakeFirst()

/** Held by whoever changes who owns what: the index, and accounts whose wallet changes. */
export const lockCursor = (trx: Transaction<Database>, collection: string) =>
  trx.selectFrom('chainCursor').selectAll().where('collection', '=', collection).forUpdate().executeTakeFirstOrThrow()

export const moveCursor = (
  trx: Transaction<Database>,
  collection: string,
  changes: { block?: number; blockHash?: string | null; trouble?: string | null },
) => trx.updateTable('chainCursor').set(changes).where('collection', '=', collection).execute()
