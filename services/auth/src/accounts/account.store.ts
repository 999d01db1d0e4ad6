import type { Withdrawer } from '@nifty/api/auth/internal'
import { sha256 } from '@nifty/service-kit/base/secrets'
import { type Insertable, type Kysely, sql, type Transaction, type UpdateObject } from 'kysely'
import type { AccountChanges, AccountTable, Database } from '../db.ts'
import { isExisting } from './account.ts'
import { normalizeEmail } from './email-address.ts'
import { normalizeUsername, skeletonOf } from './username.ts'

export const usernameKeyOf = (username: string) => sha256(normalizeUsername(username))

/** What a username is stored as, beside its text: the keys that make it, and names that look like it, unavailable. */
export const usernameKeysOf = (username: string) => ({
  usernameKey: usernameKeyOf(username),
  usernameSkeleton: sha256(skeletonOf(username)),
})

type UsernameKeys = ReturnType<typeof usernameKeysOf>

const accounts = (db: Kysely<Database>) => db.selectFrom('account').selectAll().where('deletedAt', 'is', null)

/** The account, unless it does not exist or is deleted. */
export async function findAccount(db: Kysely<Database>, id: string) {
  const account = await accounts(db).where('id', '=', id).executeTakeFirst()
  return isExisting(account) ? account : undefined
}

export async function findAccountByEmail(db: Kysely<Database>, email: string) {
  const account = await accounts(db).where('emailKey', '=', normalizeEmail(email)).executeTakeFirst()
  return isExisting(account) ? account : undefined
}

/** How many accounts may mint and sell. */
export async function countSellers(db: Kysely<Database>): Promise<number> {
  const { sellers } = await db
    .selectFrom('account')
    .select(({ fn }) => fn.countAll<string>().as('sellers'))
    .where('admin', '=', true)
    .where('deletedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(sellers)
}

/** The frozen account that a reset through this address returns to its owner. */
export async function findAccountFrozenBy(db: Kysely<Database>, email: string) {
  const account = await accounts(db)
    .where('frozenAt', 'is not', null)
    .where(sql<string>`lower(frozen_email)`, '=', normalizeEmail(email))
    .executeTakeFirst()
  return isExisting(account) ? account : undefined
}

/** As `findAccountFrozenBy`, or the account that is being deleted and whose mails with links went to this address. */
export async function findAccountBlockedAt(db: Kysely<Database>, email: string) {
  const closed = accounts(db)
    .where('deletionRequestedAt', 'is not', null)
    .where(
      sql<boolean>`exists (select from freeze_link where account_id = account.id and lower(email) = ${normalizeEmail(email)})`,
    )
  const account = (await findAccountFrozenBy(db, email)) ?? (await closed.executeTakeFirst())
  return isExisting(account) ? account : undefined
}

export async function findAccountByUsername(db: Kysely<Database>, username: string) {
  const account = await accounts(db).where('usernameKey', '=', usernameKeyOf(username)).executeTakeFirst()
  return isExisting(account) ? account : undefined
}

const DELETIONS_AT_ONCE = 100

/** One state of wallet, address and waiting time. `waitsUntil` is null when withdrawals may start. */
export async function findWithdrawer(db: Kysely<Database>, id: string, waitHours: number) {
  const { rows } = await sql<Omit<Withdrawer, 'waitsUntil'> & { waitsUntil: Date | null }>`
    select wallet, email_confirmed_at is not null as email_confirmed,
      suspended_at is not null or frozen_at is not null or deletion_requested_at is not null as suspended,
      case when until > now() then until end as waits_until
    from account, lateral (select withdrawals_wait_since + make_interval(hours => ${waitHours}) as until) as waiting
    where id = ${id} and deleted_at is null`.execute(db)
  return rows[0]
}

/** Those of the accounts that are suspended or frozen. */
export async function findSuspendedAccounts(db: Kysely<Database>, ids: string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from account
    where id = any(${ids}::uuid[]) and (suspended_at is not null or frozen_at is not null)`.execute(db)
  return rows.map(({ id }) => id)
}

export async function lockAccount(trx: Transaction<Database>, id: string) {
  const account = await accounts(trx).where('id', '=', id).forUpdate().executeTakeFirst()
  return isExisting(account) ? account : undefined
}

export async function lockAccountByEmail(trx: Transaction<Database>, email: string) {
  const account = await accounts(trx).where('emailKey', '=', normalizeEmail(email)).forUpdate().executeTakeFirst()
  return isExisting(account) ? account : undefined
}

/** Returns undefined, and stores nothing, when the username or the address is taken. */
export async function insertAccount(trx: Transaction<Database>, account: Insertable<AccountTable>) {
  const inserted = await trx
    .insertInto('account')
    .values(account)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  return isExisting(inserted) ? inserted : undefined
}

/** Changes fields that no other service has a copy of, such as the password. */
export async function updateAccount(trx: Transaction<Database>, id: string, changes: AccountChanges) {
  await trx.updateTable('account').set(changes).where('id', '=', id).execute()
}

/** Changes fields that other services have copies of and increments the version. Returns the changed account. */
export const saveAccount = (trx: Transaction<Database>, id: string, changes: AccountChanges) =>
  saveVersion(trx, id, changes)

/** What only an operator changes: a trigger requires the entry in the audit log. */
export type Rights = { admin: boolean } | { suspended: boolean }

/** Changes the rights of an account and increments the version. Returns the changed account. */
export const saveRights = (trx: Transaction<Database>, id: string, rights: Rights) =>
  saveVersion(
    trx,
    id,
    'admin' in rights ? { admin: rights.admin } : { suspendedAt: rights.suspended ? sql<Date>`now()` : null },
  )

async function saveVersion(trx: Transaction<Database>, id: string, changes: UpdateObject<Database, 'account'>) {
  const account = await trx
    .updateTable('account')
    .set({ ...changes, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (!isExisting(account)) throw new Error(`account ${id} is deleted`)
  return account
}

/**
 * Accounts whose deletion was requested, and that no mailed link can return to their owner any more. What an operator
 * suspended stays until it is reinstated.
 */
export async function findDueDeletions(db: Kysely<Database>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from account where deletion_requested_at is not null and deleted_at is null and suspended_at is null
      and not exists (select from freeze_link where account_id = account.id and expires_at > now())
    order by deletion_requested_at limit ${DELETIONS_AT_ONCE}`.execute(db)
  return rows.map(({ id }) => id)
}

export async function eraseAccount(trx: Transaction<Database>, id: string, tombstone: AccountChanges) {
  await trx
    .updateTable('account')
    .set({ ...tombstone, admin: false, deletedAt: sql`now()` })
    .where('id', '=', id)
    .execute()
  // Ended sessions stay until their tokens expire, without browser and network.
  await trx.updateTable('session').set({ browser: '', network: '' }).where('accountId', '=', id).execute()
  await trx.deleteFrom('knownOrigin').where('accountId', '=', id).execute()
  await trx.deleteFrom('emailConfirmation').where('accountId', '=', id).execute()
  await trx.deleteFrom('passwordReset').where('accountId', '=', id).execute()
  await trx.deleteFrom('freezeLink').where('accountId', '=', id).execute()
  await trx.deleteFrom('walletChallenge').where('accountId', '=', id).execute()
  await trx.deleteFrom('quotaUse').where('accountId', '=', id).execute()
  await trx.deleteFrom('totp').where('accountId', '=', id).execute()
  await trx.deleteFrom('recoveryCode').where('accountId', '=', id).execute()
  await trx.deleteFrom('sellerApplication').where('accountId', '=', id).execute()
  await trx.deleteFrom('passkey').where('accountId', '=', id).execute()
  await trx.deleteFrom('passkeyChallenge').where('accountId', '=', id).execute()
  await trx.deleteFrom('loginChallenge').where('accountId', '=', id).execute()
  await trx
    .deleteFrom('loginFailure')
    .where('subject', 'in', [id, `code:${id}`])
    .execute()
  // Published events contain personal data; the outbox keeps them only for rebuilding a topic.
  await trx.deleteFrom('outbox').where('key', '=', id).where('publishedAt', 'is not', null).execute()
}

export const reserveUsername = (trx: Transaction<Database>, keys: UsernameKeys) =>
  trx
    .insertInto('usernameReservation')
    .values({ ...keys, expiresAt: sql`now() + interval '30 days'` })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

export async function isUsernameTaken(trx: Transaction<Database>, { usernameKey, usernameSkeleton }: UsernameKeys) {
  const { rows } = await sql`
    select from account where username_key = ${usernameKey} or username_skeleton = ${usernameSkeleton}
    union all select from username_reservation
    where (username_key = ${usernameKey} or username_skeleton = ${usernameSkeleton}) and expires_at > now()`.execute(
    trx,
  )
  return rows.length > 0
}
