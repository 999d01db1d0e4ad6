import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** What a followed artist listed on a UTC day (`YYYY-MM-DD`). `artistId` is the item's where the artist is unknown. */
export type Digest = { userId: string; artistId: string; day: string }
export type ListedWork = {
  name: string
  artist: string | null
  priceCents: number | null
  contract: string
  identifier: string
}

const today = sql`(now() at time zone 'UTC')::date`
const isDue = sql`day < ${today} and (claimed_until is null or claimed_until <= now())`

/** One for each of these accounts that wants such mails, whatever the artist lists on this day. */
export async function saveDigests(
  trx: Transaction<Database>,
  userIds: string[],
  { artistId, at }: { artistId: string; at: string },
) {
  await sql`
    insert into digest (user_id, artist_id, day)
    select user_id, ${artistId}::uuid, (${at}::timestamptz at time zone 'UTC')::date
    from recipient where user_id = any(${userIds}::uuid[]) and deleted_at is null and wants_follows
    order by user_id
    on conflict do nothing`.execute(trx)
}

/** Whether a day is over of which a digest is not sent, and which no process has claimed. */
export async function isDigestDue(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select 1 from digest where ${isDue} limit 1 for update skip locked`.execute(db)
  return rows.length > 0
}

/** Claims a digest for a minute: longer than a call to auth takes. */
export async function claimDigest(db: Kysely<Database>): Promise<Digest | undefined> {
  const { rows } = await sql<Digest>`
    update digest set claimed_until = now() + interval '1 minute'
    from (select day, user_id, artist_id from digest where ${isDue} order by day limit 1 for update skip locked) due
    where digest.day = due.day and digest.user_id = due.user_id and digest.artist_id = due.artist_id
    returning digest.user_id, digest.artist_id, digest.day::text as day`.execute(db)
  return rows[0]
}

const isOf = ({ userId, artistId, day }: Digest) =>
  sql`user_id = ${userId} and artist_id = ${artistId} and day = ${day}::date`

/** Ends a claim without a result. */
export async function releaseDigest(db: Kysely<Database>, digest: Digest) {
  await sql`update digest set claimed_until = null where ${isOf(digest)}`.execute(db)
}

export async function deleteDigest(trx: Transaction<Database>, digest: Digest) {
  await sql`delete from digest where ${isOf(digest)}`.execute(trx)
}

/** In the order in which they were listed. */
export async function findListedWorks(db: Kysely<Database>, { userId, artistId, day }: Digest): Promise<ListedWork[]> {
  const { rows } = await sql<ListedWork>`
    select name, artist, price_cents, contract, identifier from notice
    where user_id = ${userId} and what = 'listed' and coalesce(artist_id, item_id) = ${artistId}
      and (at at time zone 'UTC')::date = ${day}::date
    order by at, id`.execute(db)
  return rows
}
