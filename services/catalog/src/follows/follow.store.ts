import type { FollowedArtist } from '@nifty/api/catalog/follows'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** The latest one first, without suspended accounts. */
export async function followsOf(db: Kysely<Database>, userId: string): Promise<FollowedArtist[]> {
  const rows = await db
    .selectFrom('follow')
    .innerJoin('account', 'account.userId', 'follow.artistId')
    .leftJoin('creator', 'creator.userId', 'follow.artistId')
    .select(['account.userId', 'username', 'firstName', 'lastName', 'avatar', 'works'])
    .where('follow.userId', '=', userId)
    .where('username', 'is not', null)
    .where('suspended', '=', false)
    .orderBy('follow.createdAt', 'desc')
    .orderBy('follow.artistId')
    .execute()
  return rows.map(({ userId: _id, username, works, ...artist }) => ({
    _id,
    ...artist,
    username: username!,
    works: works ?? 0,
  }))
}

/** False if the account has `atMost` follows already. Following twice changes nothing. */
export async function insertFollow(
  trx: Transaction<Database>,
  { userId, artistId, atMost }: { userId: string; artistId: string; atMost: number },
): Promise<boolean> {
  const { rows } = await sql<{ known: boolean; count: string }>`
    select count(*) as count, coalesce(bool_or(artist_id = ${artistId}), false) as known
    from follow where user_id = ${userId}`.execute(trx)
  const { known, count } = rows[0]!
  if (known) return true
  if (Number(count) >= atMost) return false
  await trx.insertInto('follow').values({ userId, artistId }).execute()
  return true
}

/** False if it was none. */
export async function deleteFollow(trx: Transaction<Database>, userId: string, artistId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('follow')
    .where('userId', '=', userId)
    .where('artistId', '=', artistId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
