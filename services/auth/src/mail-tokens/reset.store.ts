import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

const LIFETIME_MINUTES = 10

export const insertResetRequest = (db: Kysely<Database>, email: string) =>
  db.insertInto('passwordResetRequest').values({ email }).execute()

/**
 * Whether a request waits. Locked ones are in work in other replicas: with them the worker would repeat without a
 * pause.
 */
export async function isResetRequested(db: Kysely<Database>): Promise<boolean> {
  const free = db.selectFrom('passwordResetRequest').select('id').limit(1).forUpdate().skipLocked()
  return (await free.executeTakeFirst()) !== undefined
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

/** Stores nothing for an id without account. */
export async function insertReset(
  trx: Transaction<Database>,
  { tokenHash, accountId }: { tokenHash: string; accountId: string },
) {
  await sql`
    insert into password_reset (token_hash, account_id, expires_at)
    select ${tokenHash}, id, now() + make_interval(mins => ${LIFETIME_MINUTES}) from account where id = ${accountId}`.execute(
    trx,
  )
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
