import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

const LIFETIME_MINUTES = 10

export const insertResetRequest = (db: Kysely<Database>, email: string) =>
  db.insertInto('passwordResetRequest').values({ email }).execute()

/** Requests that wait, at most `atMost`. */
export async function countResetRequests(db: Kysely<Database>, atMost: number): Promise<number> {
  return (await db.selectFrom('passwordResetRequest').select('id').limit(atMost).execute()).length
}

/** Removes the oldest request from the queue. Replicas skip each other's locked rows. */
export async function dequeueResetRequest(trx: Transaction<Database>) {
  const { rows } = await sql<{ email: string }>`
    delete from password_reset_request where id = (
      select id from password_reset_request order by id limit 1 for update skip locked)
    returning email`.execute(trx)
  return rows[0]
}

/** Revokes earlier links. */
export async function revokeResets(trx: Transaction<Database>, accountId: string) {
  await trx.deleteFrom('passwordReset').where('accountId', '=', accountId).execute()
}

export async function insertReset(trx: Transaction<Database>, reset: { tokenHash: string; accountId: string }) {
  const expiresAt = sql<Date>`now() + make_interval(mins => ${LIFETIME_MINUTES})`
  await trx
    .insertInto('passwordReset')
    .values({ ...reset, expiresAt, usedAt: null })
    .execute()
}

const usable = (db: Kysely<Database>, tokenHash: string) =>
  db
    .selectFrom('passwordReset')
    .select('accountId')
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)

export const findReset = (db: Kysely<Database>, tokenHash: string) => usable(db, tokenHash).executeTakeFirst()

/** True for the first use before the expiry. */
export async function consumeReset(trx: Transaction<Database>, tokenHash: string) {
  const { numUpdatedRows } = await trx
    .updateTable('passwordReset')
    .set({ usedAt: sql`now()` })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
