import { type Lookup, parseLookup } from '@nifty/api/lookup'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, type RawBuilder, type SqlBool, sql, type Transaction } from 'kysely'
import { findAccountBlockedAt, usernameKeyOf } from '../accounts/account.store.ts'
import { normalizeEmail } from '../accounts/email-address.ts'
import type { AccountRow, Database } from '../db.ts'

/** So many of the newest accounts are compared with a part of a name before the index of names is read. */
const NEWEST = 20_000

type Condition = RawBuilder<SqlBool>

type Search = {
  search?: string | undefined
  ids?: string[] | undefined
  state?: keyof typeof stateConditions | undefined
  after?: string | undefined
  limit: number
}

/** Whether there is an account, also a deleted one. */
export const hasAccount = async (db: Kysely<Database>, id: string): Promise<boolean> =>
  (await db.selectFrom('account').select('id').where('id', '=', id).executeTakeFirst()) !== undefined

/** Accounts that are not deleted, newest first, at most `limit`; with `after`, those after this account. */
export async function findAccounts(
  db: Transaction<Database>,
  { search, ids, state, after, limit }: Search,
): Promise<AccountRow[]> {
  const key = search === undefined ? undefined : await keyOf(db, parseLookup(search))
  const conditions = [
    ...(key ? [key] : []),
    ...(ids ? [sql<SqlBool>`id = ${anyOf(ids)}`] : []),
    ...(state ? [isMarked, stateConditions[state]] : []),
    ...(after ? [sql<SqlBool>`(created_at, id) < (select created_at, id from account where id = ${after})`] : []),
  ]
  if (search === undefined || key) return read(db, conditions, limit)

  const part = search.trim()
  const present = sql.join([isPresent, ...conditions], sql` and `)
  const { rows } = await sql<{ id: string }>`
    select id from (
      select * from account where ${present} order by created_at desc, id desc limit ${NEWEST}
    ) account where ${contains(part)} order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows.length === limit
    ? read(db, [sql<SqlBool>`id = ${anyOf(rows.map(({ id }) => id))}`], limit)
    : read(db, [...conditions, contains(part), hasGrams(part)], limit)
}

const isPresent = sql<SqlBool>`deleted_at is null`

/** Of the index `account_marked`. */
const isMarked = sql<SqlBool>`
  (admin or suspended_at is not null or frozen_at is not null or deletion_requested_at is not null)`

const stateConditions = {
  seller: sql<SqlBool>`admin`,
  suspended: sql<SqlBool>`suspended_at is not null`,
  frozen: sql<SqlBool>`frozen_at is not null`,
  deletion_requested: sql<SqlBool>`deletion_requested_at is not null`,
} satisfies Record<string, Condition>

/** What a unique key finds; undefined for a part of a name. */
async function keyOf(db: Kysely<Database>, lookup: Lookup): Promise<Condition | undefined> {
  if (lookup.kind === 'id') return sql`id = ${lookup.id}`
  if (lookup.kind === 'wallet') return sql`wallet_key = ${lookup.wallet.toLowerCase()}`
  if (lookup.kind === 'username') return sql`username_key = ${usernameKeyOf(lookup.username)}`
  if (lookup.kind !== 'email') return undefined
  const blocked = await findAccountBlockedAt(db, lookup.email)
  const isAddress = sql<SqlBool>`email_key = ${normalizeEmail(lookup.email)}`
  return blocked ? sql`(${isAddress} or id = ${blocked.id})` : isAddress
}

/** As the index `account_names` has it. */
const names = sql`lower(username || ' ' || first_name || ' ' || last_name)`
const contains = (part: string) => sql<SqlBool>`strpos(${names}, lower(${part})) > 0`
const hasGrams = (part: string) => sql<SqlBool>`name_grams(${names}) @> name_grams(lower(${part}))`

const read = (db: Kysely<Database>, conditions: Condition[], limit: number): Promise<AccountRow[]> =>
  db
    .selectFrom('account')
    .selectAll()
    .where(isPresent)
    .where((eb) => eb.and(conditions))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
