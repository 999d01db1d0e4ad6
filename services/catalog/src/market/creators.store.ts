import type { Creator, Creators } from '@nifty/api/catalog/creators'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'
import { nftsByIds, type Shown } from '../items/nft.store.ts'
import { MAX_TOTAL, type Paging, rowsOf } from './paging.ts'

const ITEMS_PER_CREATOR = 2

/**
 * One page of the accounts that own visible items, by persons who bought of them, then by works they made; each with
 * its two newest items. `total` is capped at `MAX_TOTAL`.
 */
export async function bestCreators(db: Kysely<Database>, paging: Paging, shown: Shown): Promise<Creators> {
  const { offset, size } = rowsOf(paging)
  const creators = await owners(db)
    .select(['account.userId', 'username', 'firstName', 'lastName', 'avatar', 'account.description', 'works', 'sales'])
    .orderBy('buyers', 'desc')
    .orderBy('works', 'desc')
    .orderBy('creator.userId')
    .limit(size)
    .offset(offset)
    .execute()
  const items = await newestItems(
    db,
    creators.map(({ userId }) => userId),
    shown,
  )
  return {
    creators: creators.map(({ userId, ...creator }) => ({
      _id: userId,
      ...creator,
      username: creator.username!,
      items: items.get(userId) ?? [],
    })),
    total: await countOwners(db),
    ...paging,
  }
}

const owners = (db: Kysely<Database>) =>
  db
    .selectFrom('creator')
    .innerJoin('account', 'account.userId', 'creator.userId')
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

async function countOwners(db: Kysely<Database>): Promise<number> {
  const { total } = await db
    .selectFrom(owners(db).select('creator.userId').limit(MAX_TOTAL).as('counted'))
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  return total
}

/** By owner, at most `ITEMS_PER_CREATOR` each. */
async function newestItems(
  db: Kysely<Database>,
  userIds: string[],
  shown: Shown,
): Promise<Map<string, Creator['items']>> {
  const { rows } = await sql<{ ownerId: string; id: string }>`
    select owner_id, work.id
    from unnest(${userIds}::uuid[]) as owners (owner_id),
    lateral (
      select id from item
      where item.owner_id = owners.owner_id and hidden_at is null
      order by shown_at desc, id desc limit ${ITEMS_PER_CREATOR}
    ) work`.execute(db)
  const ids = rows.map(({ id }) => id)
  const nfts = new Map((await nftsByIds(db, ids, shown)).map((nft) => [nft._id, nft]))
  return new Map(
    userIds.map((userId) => [userId, rows.filter(({ ownerId }) => ownerId === userId).map(({ id }) => nfts.get(id)!)]),
  )
}
