import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Reversal } from '../db.ts'
import type { ProcessorReversal } from '../processor/reversal.ts'

export const findReversal = (db: Kysely<Database>, id: string): Promise<Reversal | undefined> =>
  db.selectFrom('reversal').selectAll().where('id', '=', id).executeTakeFirst()

/** All refunds, disputes and warnings of an order, oldest first. */
export const reversalsOf = (db: Kysely<Database>, orderId: string): Promise<Reversal[]> =>
  db.selectFrom('reversal').selectAll().where('orderId', '=', orderId).orderBy('createdAt').orderBy('id').execute()

type Saved = Omit<ProcessorReversal, 'kind' | 'refundKey' | 'amountCents'> & {
  kind: Reversal['kind']
  amountCents: number | null
  orderId: string
  refundId: string | null
}

/** Stores a reversal as the processor has it now; what an operator assigned is kept. */
export async function saveReversal(trx: Transaction<Database>, reversal: Saved): Promise<Reversal> {
  const { status, reason, amountCents, withdrawnCents } = reversal
  return trx
    .insertInto('reversal')
    .values(reversal)
    .onConflict((held) => held.column('id').doUpdateSet({ status, reason, amountCents, withdrawnCents }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Changes = Partial<Pick<Reversal, 'borneBy' | 'lineIds' | 'published'>>

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
