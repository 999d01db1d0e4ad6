import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export const findAccount = (db: Kysely<Database>, userId: string) =>
  db.selectFrom('account').selectAll().where('userId', '=', userId).executeTakeFirst()

/**
 * Share lock until the transaction ends, so that an account change waits. Taken before token locks, as by account
 * changes.
 */
export const lockAccountShared = (trx: Transaction<Database>, userId: string) =>
  trx.selectFrom('account').selectAll().where('userId', '=', userId).forShare().executeTakeFirst()

/** As `lockAccountShared`, of several accounts. */
export const lockAccountsShared = (trx: Transaction<Database>, userIds: string[]) =>
  trx.selectFrom('account').selectAll().where('userId', '=', anyOf(userIds)).orderBy('userId').forShare().execute()

/** Serialises what an account may do only so often, also before its first `account-changed` is consumed. */
export const lockAccount = (trx: Transaction<Database>, userId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${userId}, 4716))`.execute(trx)

/** Its works in custody are handed back from 24 hours after the deletion (`from`) for 30 days, `isOver` afterwards. */
export const findDeletedAccount = (db: Kysely<Database>, { handBackHash }: { handBackHash: string }) =>
  db
    .selectFrom('account')
    .select(['userId', sql<Date>`deleted_at`.as('deletedAt')])
    .select(sql<boolean>`deleted_at < now() - interval '30 days'`.as('isOver'))
    .select(sql<Date>`deleted_at + interval '24 hours'`.as('from'))
    .select(sql<boolean>`deleted_at > now() - interval '24 hours'`.as('isEarly'))
    .where('handBackHash', '=', handBackHash)
    .executeTakeFirst()

/** The account that proved the wallet (lower case) by a signature most recently. */
export async function accountOfWallet(db: Kysely<Database>, wallet: string): Promise<string | null> {
  const account = await db
    .selectFrom('account')
    .select('userId')
    .where('wallet', '=', wallet)
    .where('walletProven', '=', true)
    .where('deletedAt', 'is', null)
    .orderBy('changedAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  return account?.userId ?? null
}

/** The custody account of a user; undefined for a user who never had a token in custody. */
export async function custodyAccountOf(db: Kysely<Database>, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('custodyAccount').select('account').where('userId', '=', userId).executeTakeFirst()
  return row?.account
}

export async function ensureCustodyAccount(trx: Transaction<Database>, userId: string): Promise<string> {
  await trx
    .insertInto('custodyAccount')
    .values({ userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await custodyAccountOf(trx, userId))!
}

/** False when the user or the custody account is stored with another one already. */
export async function restoreCustodyAccount(
  trx: Transaction<Database>,
  row: { userId: string; account: string },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('custodyAccount')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

/** Null also for an account of the chain that is no id of this store. */
export async function userOfCustodyAccount(db: Kysely<Database>, account: string | undefined): Promise<string | null> {
  if (account === undefined) return null
  const row = await db.selectFrom('custodyAccount').select('userId').where('account', '=', account).executeTakeFirst()
  return row?.userId ?? null
}
