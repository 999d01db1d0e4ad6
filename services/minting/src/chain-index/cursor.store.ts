import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Row } from '../db.ts'

export type Cursor = Row<'chainCursor'>

/** `fromBlock` is the first block to read. */
export const addCursor = (db: Kysely<Database>, collection: string, fromBlock: number) =>
  db
    .insertInto('chainCursor')
    .values({ collection, block: fromBlock - 1, blockHash: null, haltedReason: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

/**
 * The cursor, and whether a mint, a delivery or a transaction is not final. One statement: it is read at every poll.
 */
export async function readIndex(
  db: Kysely<Database>,
  collection: string,
): Promise<{ cursor: Cursor | undefined; hasOpenWork: boolean }> {
  const { rows } = await sql<Cursor & { hasOpenWork: boolean }>`
    select *, exists (select from delivery where state in ('waiting', 'signed'))
      or exists (select from mint where state = 'accepted')
      or exists (select from chain_transaction where state <> 'final') as has_open_work
    from chain_cursor where collection = ${collection}`.execute(db)
  return { cursor: rows[0], hasOpenWork: rows[0]?.hasOpenWork ?? false }
}

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
