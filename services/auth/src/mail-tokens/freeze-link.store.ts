import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

const LIFETIME_HOURS = 72

/** `createdAt` decides between links: now, or the time of the mail that the link repeats. */
export async function insertFreezeLink(
  trx: Transaction<Database>,
  link: { tokenHash: string; accountId: string; email: string; emailConfirmed: boolean; createdAt?: Date },
) {
  const expiresAt = sql<Date>`now() + make_interval(hours => ${LIFETIME_HOURS})`
  await trx
    .insertInto('freezeLink')
    .values({ ...link, expiresAt })
    .execute()
}

export const findFreezeLink = (db: Kysely<Database>, tokenHash: string) =>
  db
    .selectFrom('freezeLink')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()

/** The time of the first mail that can still freeze the account. */
export async function firstFreezeLinkAt(db: Kysely<Database>, accountId: string): Promise<Date | undefined> {
  const link = await db
    .selectFrom('freezeLink')
    .select('createdAt')
    .where('accountId', '=', accountId)
    .where('expiresAt', '>', sql<Date>`now()`)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  return link?.createdAt
}

/** The addresses that have a valid link, with the time of its first mail and the end of its last; the oldest first. */
export async function findFreezeAddresses(db: Kysely<Database>, accountId: string) {
  const { rows } = await sql<{ email: string; emailConfirmed: boolean; since: Date; until: Date }>`
    select min(email) as email, bool_or(email_confirmed) as email_confirmed, min(created_at) as since, max(expires_at) as until
    from freeze_link where account_id = ${accountId} and expires_at > now()
    group by lower(email) order by since, email`.execute(db)
  return rows
}

/** The address of the account's first link, valid or not. */
export async function findFirstFreezeAddress(db: Kysely<Database>, accountId: string): Promise<string | undefined> {
  const link = await db
    .selectFrom('freezeLink')
    .select('email')
    .where('accountId', '=', accountId)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()
  return link?.email
}

/** The first link that was mailed to an address (lower case), valid or not. */
export const findFirstFreezeLinkTo = (db: Kysely<Database>, accountId: string, emailKey: string) =>
  db
    .selectFrom('freezeLink')
    .select(['email', 'createdAt'])
    .where('accountId', '=', accountId)
    .where(sql<string>`lower(email)`, '=', emailKey)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst()

/** Revokes the links of mails that were sent at `since` or later. Earlier ones went to an address before those. */
export const revokeFreezeLinksSince = (trx: Transaction<Database>, accountId: string, since: Date) =>
  trx.deleteFrom('freezeLink').where('accountId', '=', accountId).where('createdAt', '>=', since).execute()

/**
 * The account that had the address (lower case), confirmed, until a short time ago, if it is another one. No other
 * account may take the address meanwhile: a reset through it returns that account to its owner.
 */
export async function findFormerOwner(db: Kysely<Database>, emailKey: string, exceptAccountId: string | null) {
  const { rows } = await sql<{ id: string }>`
    select account_id as id from freeze_link where lower(email) = ${emailKey} and email_confirmed and expires_at > now()
      and account_id is distinct from ${exceptAccountId}::uuid
    union all
    select id from account where lower(frozen_email) = ${emailKey} and frozen_at is not null
      and id is distinct from ${exceptAccountId}::uuid
    limit 1`.execute(db)
  return rows[0]
}
