import { NoticeKind } from '@nifty/api/notification/notices'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { isMailedKind } from './notice.templates.ts'

export type StoredNotice = Selectable<Database['notice']>

export type NewNotice = Omit<
  StoredNotice,
  'id' | 'userId' | 'at' | 'endsAt' | 'readAt' | 'mailDue' | 'claimedUntil'
> & {
  at: string
  /** ISO 8601. */
  endsAt: string | null
}

/**
 * One notice for each of these accounts that is not deleted. A repeated or an older event changes nothing; a newer one
 * of the same kind and `itemId` replaces the notice, which is unread again. `hasOwnMail`: the event is mailed by
 * another template, and the notice is not.
 */
export async function saveNotices(
  trx: Transaction<Database>,
  userIds: string[],
  notice: NewNotice,
  { hasOwnMail = false } = {},
) {
  const { what, itemId, contract, identifier, name, artist, artistId, priceCents, endsAt, at } = notice
  await sql`
    insert into notice (user_id, what, item_id, contract, identifier, name, artist, artist_id, price_cents, ends_at,
      at, mail_due)
    select user_id, ${what}, ${itemId}::uuid, ${contract}, ${identifier}, ${name}, ${artist}, ${artistId}::uuid,
      ${priceCents}::integer, ${endsAt}::timestamptz, ${at}::timestamptz, ${hasOwnMail ? sql`false` : wantsMail(what)}
    from recipient where user_id = any(${userIds}::uuid[]) and deleted_at is null
    order by user_id
    on conflict (user_id, what, item_id) do update
    set name = excluded.name, artist = excluded.artist, artist_id = excluded.artist_id,
      price_cents = excluded.price_cents, ends_at = excluded.ends_at, at = excluded.at, read_at = null,
      mail_due = excluded.mail_due
    where notice.at < excluded.at`.execute(trx)
}

/**
 * The flag of the account that lets a kind be mailed. A sale of one's own, offers and bids have mails of their own
 * (sales/, offers/, auctions/), and what a followed artist lists is mailed once a day (digests/).
 */
const wantsMail = (what: NoticeKind) => (isMailedKind(what) ? sql`wants_favourites` : sql`false`)

const kinds = NoticeKind.anyOf.map((literal) => literal.const)

/** Without those of a kind that a newer release has stored. */
const noticesOf = (db: Kysely<Database>, userId: string) =>
  db.selectFrom('notice').where('userId', '=', userId).where('what', '=', anyOf(kinds))

/** The newest ones first. */
export function findNotices(db: Kysely<Database>, userId: string, limit: number): Promise<StoredNotice[]> {
  return noticesOf(db, userId).selectAll().orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

export async function countUnread(db: Kysely<Database>, userId: string): Promise<number> {
  const { count } = await noticesOf(db, userId)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('readAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

type Read = { userId: string; upTo: Date; work?: Pick<StoredNotice, 'contract' | 'identifier'> }

/** `work`: only the notices of that one. */
export async function markRead(db: Kysely<Database>, { userId, upTo, work }: Read) {
  const ofWork = work ? sql`and contract = ${work.contract} and identifier = ${work.identifier}` : sql``
  await sql`
    update notice set read_at = now()
    where user_id = ${userId} and read_at is null and at <= ${upTo} ${ofWork}`.execute(db)
}

export async function deleteNoticesOf(trx: Transaction<Database>, userId: string) {
  await trx.deleteFrom('notice').where('userId', '=', userId).execute()
}

/** Deletes notices older than 90 days. */
export async function deleteOldNotices(db: Kysely<Database>) {
  await sql`delete from notice where at < now() - interval '90 days'`.execute(db)
}

const isDue = sql`mail_due and (claimed_until is null or claimed_until <= now())`

/** Whether the mail of a notice is due that no process has claimed. */
export async function isMailDue(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select 1 from notice where ${isDue} limit 1 for update skip locked`.execute(db)
  return rows.length > 0
}

/** Claims a notice whose mail is due, for a minute: longer than a call to auth takes. */
export async function claimMailDue(db: Kysely<Database>): Promise<StoredNotice | undefined> {
  const { rows } = await sql<StoredNotice>`
    update notice set claimed_until = now() + interval '1 minute'
    where id = (select id from notice where ${isDue} order by id limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

/** Ends a claim. The mail stays due if a newer event has replaced the notice meanwhile. */
export async function clearMailDue(trx: Transaction<Database>, { id, at }: Pick<StoredNotice, 'id' | 'at'>) {
  await sql`
    update notice set claimed_until = null, mail_due = mail_due and at > ${at}::timestamptz where id = ${id}`.execute(
    trx,
  )
}

/** Ends a claim without a result: the mail stays due. */
export async function releaseMailDue(db: Kysely<Database>, id: string) {
  await sql`update notice set claimed_until = null where id = ${id}`.execute(db)
}
