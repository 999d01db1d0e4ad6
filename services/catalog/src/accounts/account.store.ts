import { unauthenticated } from '@nifty/service-kit/base/errors'
import { anyOf } from '@nifty/service-kit/database/database'
import type { Kysely, Transaction } from 'kysely'
import type { Account, Database } from '../db.ts'

/** By account id; unknown ids are missing from the map. */
export async function findAccounts(db: Kysely<Database>, ids: (string | null)[]): Promise<Map<string, Account>> {
  const present = ids.filter((id) => id !== null)
  if (present.length === 0) return new Map()
  const accounts = await db.selectFrom('account').selectAll().where('userId', '=', anyOf(present)).execute()
  return new Map(accounts.map((account) => [account.userId, account]))
}

/** `username` in lower case. */
export function findAccountByUsername(db: Kysely<Database>, username: string): Promise<Account | undefined> {
  return db
    .selectFrom('account')
    .selectAll()
    .where((eb) => eb(eb.fn<string>('lower', ['username']), '=', username))
    .limit(1)
    .executeTakeFirst()
}

/**
 * Share lock until the transaction ends, so that `maySell` cannot change between decision and listing. Account locks
 * are taken before item locks, which rules out deadlocks.
 */
export function lockAccountShared(trx: Transaction<Database>, userId: string): Promise<Account | undefined> {
  return trx.selectFrom('account').selectAll().where('userId', '=', userId).forShare().executeTakeFirst()
}

/** Likewise of several accounts, ordered by id, which rules out deadlocks. Unknown ids are missing from the map. */
export async function lockAccountsShared(trx: Transaction<Database>, ids: string[]): Promise<Map<string, Account>> {
  if (ids.length === 0) return new Map()
  const accounts = await trx
    .selectFrom('account')
    .selectAll()
    .where('userId', '=', anyOf(ids))
    .orderBy('userId')
    .forShare()
    .execute()
  return new Map(accounts.map((account) => [account.userId, account]))
}

/** Row lock for an update. Inserts an empty row (version 0) if the account is missing. */
export async function lockAccount(trx: Transaction<Database>, userId: string): Promise<Account> {
  await trx
    .insertInto('account')
    .values({ userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('account').selectAll().where('userId', '=', userId).forUpdate().executeTakeFirstOrThrow()
}

/** Row lock on the caller's own account, also before auth's first event about it. Throws 401 if it is deleted. */
export async function lockCaller(trx: Transaction<Database>, userId: string): Promise<Account> {
  const account = await lockAccount(trx, userId)
  if (account.deletedAt !== null) throw unauthenticated()
  return account
}

export async function saveAccount(trx: Transaction<Database>, account: Account) {
  await trx.updateTable('account').set(account).where('userId', '=', account.userId).execute()
}
