import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

const LIFETIME_HOURS = 72

export async function insertFreezeLink(
  trx: Transaction<Database>,
  link: { tokenHash: string; accountId: string; email: string; emailConfirmed: boolean },
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
