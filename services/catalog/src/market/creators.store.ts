import type { Creator } from '@nifty/api/catalog/public'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { nftsByIds } from '../items/nft.store.ts'

const ITEMS_PER_CREATOR = 2

/** Ordered by completed sales, then by works; each with two of its items, those it still owns first. */
export async function bestCreators(db: Kysely<Database>, limit: number): Promise<Creator[]> {
  const creators = await db
    .selectFrom('creator')
    .innerJoin('account', 'account.userId', 'creator.userId')
    .select(['account.userId', 'username', 'firstName', 'lastName', 'avatar', 'account.description', 'works', 'sales'])
    .where('works', '>', 0)
    .where('username', 'is not', null)
    .where('suspended', '=', false)
    .orderBy('sales', 'desc')
    .orderBy('works', 'desc')
    .orderBy('creator.userId')
    .limit(limit)
    .execute()
  const { rows } = await sql<{ creatorId: string; id: string }>`
    select creator_id, work.id
    from unnest(${creators.map(({ userId }) => userId)}::uuid[]) as creators (creator_id),
    lateral (
      select id from (
        select id, owner_id, shown_at from item
        where item.creator_id = creators.creator_id and hidden_at is null order by shown_at desc, id desc limit 50
      ) newest
      order by (owner_id = creators.creator_id) desc nulls last, shown_at desc, id desc limit ${ITEMS_PER_CREATOR}
    ) work`.execute(db)
  const ids = rows.map(({ id }) => id)
  const nfts = new Map((await nftsByIds(db, ids)).map((nft) => [nft._id, nft]))
  return creators.map(({ userId, ...creator }) => ({
    ...{ _id: userId, ...creator, username: creator.username! },
    items: rows.filter(({ creatorId }) => creatorId === userId).map(({ id }) => nfts.get(id)!),
  }))
}
