import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** Stores that a final transaction has left its block. Returns false when that was stored before. */
export async function addFinding(db: Kysely<Database>, transactionId: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('auditFinding')
    .values({ transactionId, closedAt: null })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

/** Open findings, oldest first, with the lines and mints that the transaction carried. */
export async function openFindings(db: Kysely<Database>) {
  const { rows } = await sql<{
    transactionId: string
    hash: string
    block: number
    blockHash: string
    foundAt: Date
    lines: string[]
    mints: string[]
  }>`
    select f.transaction_id, t.mined_hash as hash, t.mined_block as block, t.mined_block_hash as block_hash, f.found_at,
      array(select d.line_id::text from delivery d where d.transaction_id = t.id or d.tx_hash = t.mined_hash order by 1) as lines,
      array(select m.id::text from mint m where m.transaction_id = t.id order by 1) as mints
    from audit_finding f join chain_transaction t on t.id = f.transaction_id
    where f.closed_at is null order by f.found_at`.execute(db)
  return rows
}

/** Returns false when there is no such open finding. */
export async function closeFinding(db: Kysely<Database>, transactionId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('auditFinding')
    .set({ closedAt: sql`now()` })
    .where('transactionId', '=', transactionId)
    .where('closedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}
