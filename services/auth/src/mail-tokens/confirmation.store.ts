import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export type Purpose = 'sign_up' | 'new_address'

const HOURS = { sign_up: 72, new_address: 24 }

export async function insertConfirmation(
  trx: Transaction<Database>,
  { purpose, ...confirmation }: { tokenHash: string; accountId: string; email: string; purpose: Purpose },
) {
  const expiresAt = sql<Date>`now() + make_interval(hours => ${HOURS[purpose]})`
  await trx
    .insertInto('emailConfirmation')
    .values({ ...confirmation, purpose, expiresAt, usedAt: null })
    .execute()
}

/** Revokes earlier links. Used ones stay, so that following one again is idempotent. */
export async function revokeConfirmations(trx: Transaction<Database>, accountId: string, purpose: Purpose) {
  await trx
    .deleteFrom('emailConfirmation')
    .where('accountId', '=', accountId)
    .where('purpose', '=', purpose)
    .where('usedAt', 'is', null)
    .execute()
}

export const findConfirmation = (db: Kysely<Database>, tokenHash: string) =>
  db
    .selectFrom('emailConfirmation')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()

/** True for the first use only. */
export async function consumeConfirmation(trx: Transaction<Database>, tokenHash: string) {
  const { numUpdatedRows } = await trx
    .updateTable('emailConfirmation')
    .set({ usedAt: sql`now()` })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
