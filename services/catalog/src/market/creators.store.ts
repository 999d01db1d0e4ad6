import type { Creator } from '@nifty/api/catalog/public'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { nftsByIds } from '../items/nft.store.ts'

const ITEMS_PER_CREATOR = 2

/** The accounts that own visible items, by completed sales, then by works they made; each with its two newest items. */
export async function bestCreators(db: Kysely<Database>, limit: number): Promise<Creator[]> {
  const creators = await db
    .selectFrom('creator')
    .innerJoin('account', 'account.userId', 'creator.userId')
    .select(['account.userId', 'username', 'firstName', 'lastName', 'avatar', 'account.description', 'works', 'sales'])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('item')
          .whereRef('item.ownerId', '=', 'creator.userId')
          .where('item.hiddenAt', 'is', null)
          .select('id'),
      ),
    )
    .where('username', 'is not', null)
    .where('suspended', '=', false)
    .orderBy('sales', 'desc')
    .orderBy('works', 'desc')
    .orderBy('creator.userId')
    .limit(limit)
    .execute()
  const { rows } = await sql<{ ownerId: string; id: string }>`
    select owner_id, work.id
    from unnest(${creators.map(({ userId }) => userId)}::uuid[]) as owners (owner_id),
    lateral (
      select id from item
      where item.owner_id = owners.owner_id and hidden_at is null
      order by shown_at desc, id desc limit ${ITEMS_PER_CREATOR}
    ) work`.execute(db)
  const ids = rows.map(({ id }) => id)
  const nfts = new Map((await nftsByIds(db, ids)).map((nft) => [nft._id, nft]))
  return creators.map(({ userId, ...creator }) => ({
    ...{ _id: userId, ...creator, username: creator.username! },
    items: rows.filter(({ ownerId }) => ownerId === userId).map(({ id }) => nfts.get(id)!),
  }))
}
