import { type Insertable, type Kysely, sql, type Transaction } from 'kysely'
import type { AccountChanges, AccountTable, Database } from '../db.ts'
import { digest } from '../secrets.ts'
import { isLiving } from './account.ts'
import { foldEmail } from './email-address.ts'
import { foldUsername } from './username.ts'

export const usernameKeyOf = (username: string) => digest(foldUsername(username))

const accounts = (db: Kysely<Database>) => db.selectFrom('account').selectAll().where('deletedAt', 'is', null)

/** The account, unless it does not exist or is deleted. */
export async function findAccount(db: Kysely<Database>, id: string) {
  const account = await accounts(db).where('id', '=', id).executeTakeFirst()
  return isLiving(account) ? account : undefined
}

export async function findAccountByEmail(db: Kysely<Database>, email: string) {
  const account = await accounts(db).where('emailKey', '=', foldEmail(email)).executeTakeFirst()
  return isLiving(account) ? account : undefined
}

export async function findAccountByUsername(db: Kysely<Database>, username: string) {
  const account = await accounts(db).where('usernameKey', '=', usernameKeyOf(username)).executeTakeFirst()
  return isLiving(account) ? account : undefined
}

export async function lockAccount(trx: Transaction<Database>, id: string) {
  const account = await accounts(trx).where('id', '=', id).forUpdate().executeTakeFirst()
  return isLiving(account) ? account : undefined
}

/** Keeps a new account, unless its username or its address is taken; then nothing happens. */
export async function insertAccount(trx: Transaction<Database>, account: Insertable<AccountTable>) {
  const inserted = await trx
    .insertInto('account')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return isLiving(inserted) ? inserted : undefined
}

/** Writes what nobody else needs to hear of, such as a password. */
export async function updateAccount(trx: Transaction<Database>, id: string, changes: AccountChanges) {
  await trx.updateTable('account').set(changes).where('id', '=', id).execute()
}

/** Writes what neighbours keep copies of: the version grows. Returns the account as it is then. */
export async function saveAccount(trx: Transaction<Database>, id: string, changes: AccountChanges) {
  const account = await trx
    .updateTable('account')
    .set({ ...changes, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (!isLiving(account)) throw new Error(`account ${id} is deleted`)
  return account
}

export async function buryAccount(trx: Transaction<Database>, id: string, tombstone: AccountChanges) {
  await trx
    .updateTable('account')
    .set({ ...tombstone, admin: false, deletedAt: sql`now()` })
    .where('id', '=', id)
    .execute()
  await trx.deleteFrom('knownDevice').where('accountId', '=', id).execute()
  await trx.deleteFrom('emailConfirmation').where('accountId', '=', id).execute()
  await trx.deleteFrom('passwordReset').where('accountId', '=', id).execute()
  await trx.deleteFrom('walletChallenge').where('accountId', '=', id).execute()
  await trx.deleteFrom('quotaUse').where('accountId', '=', id).execute()
  await trx.deleteFrom('loginFailure').where('subject', '=', id).execute()
  // What was said about this person has been sent; the copies kept for rebuilding a topic go too.
  await trx.deleteFrom('outbox').where('key', '=', id).where('publishedAt', 'is not', null).execute()
}

export const holdUsername = (trx: Transaction<Database>, usernameKey: string) =>
  trx
    .insertInto('usernameHold')
    .values({ usernameKey, until: sql`now() + interval '30 days'` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export async function isUsernameTaken(trx: Transaction<Database>, usernameKey: string) {
  const { rows } = await sql`
    select from account where username_key = ${usernameKey}
    union all select from username_hold where username_key = ${usernameKey} and until > now()`.execute(trx)
  return rows.length > 0
}
