import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** The account's app, confirmed or being set up, and the database's time. */
export async function findTotp(db: Kysely<Database>, accountId: string) {
  return db
    .selectFrom('totp')
    .select([
      'accountId',
      'secret',
      'confirmedAt',
      'lastStep',
      sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`.as('nowMs'),
    ])
    .where('accountId', '=', accountId)
    .executeTakeFirst()
}

/** The app that was set up first, and the newest one. */
export async function findOutermostTotps(db: Kysely<Database>): Promise<{ accountId: string; secret: string }[]> {
  const { rows } = await sql<{ accountId: string; secret: string }>`
    (select account_id, secret from totp where confirmed_at is not null order by confirmed_at limit 1)
    union all
    (select account_id, secret from totp where confirmed_at is not null order by confirmed_at desc limit 1)`.execute(db)
  return rows
}

/** Replaces an app that is being set up. The caller holds the account's row lock; none is confirmed. */
export async function saveUnconfirmedTotp(trx: Transaction<Database>, accountId: string, secret: string) {
  const started = { secret, confirmedAt: null, createdAt: sql<Date>`now()`, lastStep: 0 }
  await trx
    .insertInto('totp')
    .values({ accountId, ...started })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(started))
    .execute()
}

export async function confirmTotpAt(trx: Transaction<Database>, accountId: string, lastStep: number) {
  await trx.updateTable('totp').set({ confirmedAt: sql`now()`, lastStep }).where('accountId', '=', accountId).execute()
}

export async function saveLastStep(trx: Transaction<Database>, accountId: string, lastStep: number) {
  await trx.updateTable('totp').set({ lastStep }).where('accountId', '=', accountId).execute()
}

export async function saveRecoveryCodes(trx: Transaction<Database>, accountId: string, hashes: string[]) {
  await trx.deleteFrom('recoveryCode').where('accountId', '=', accountId).execute()
  await trx
    .insertInto('recoveryCode')
    .values(hashes.map((codeHash) => ({ accountId, codeHash })))
    .execute()
}

/** True if the account had this unused code. */
export async function consumeRecoveryCode(trx: Transaction<Database>, accountId: string, codeHash: string) {
  const { numDeletedRows } = await trx
    .deleteFrom('recoveryCode')
    .where('accountId', '=', accountId)
    .where('codeHash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function countRecoveryCodes(db: Kysely<Database>, accountId: string) {
  const { count } = await db
    .selectFrom('recoveryCode')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function deleteTotp(trx: Transaction<Database>, accountId: string) {
  await trx.deleteFrom('totp').where('accountId', '=', accountId).execute()
  await trx.deleteFrom('recoveryCode').where('accountId', '=', accountId).execute()
}

/** Deletes what was set up at `since` or later: not by the owner, who froze the account for a change at that time. */
export async function deleteSecondFactorSince(trx: Transaction<Database>, accountId: string, since: Date) {
  await trx.deleteFrom('totp').where('accountId', '=', accountId).where('confirmedAt', '>=', since).execute()
  await trx.deleteFrom('recoveryCode').where('accountId', '=', accountId).where('createdAt', '>=', since).execute()
}
