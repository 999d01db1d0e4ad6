import type { Creator } from '@nifty/api/catalog'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { nftsByIds } from '../items/nft.store.ts'

/** The last lock that a transaction takes, so that counting never closes a circle. */
export async function countFor(trx: Transaction<Database>, userId: string, what: 'works' | 'sales') {
  await trx
    .insertInto('creator')
    .values({ userId, [what]: 1 })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((eb) => ({ [what]: eb(`creator.${what}`, '+', 1) })),
    )
    .execute()
}

const ITEMS_PER_CARD = 2
const TOP_CREATORS = 12
const TOP_ITEMS_EACH = 4

/** Accounts with works, by completed sales, then by works; each with two of its works, its own before those it sold. */
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
      order by (owner_id = creators.creator_id) desc nulls last, shown_at desc, id desc limit ${ITEMS_PER_CARD}
    ) work`.execute(db)
  const nfts = new Map(
    (
      await nftsByIds(
        db,
        rows.map(({ id }) => id),
      )
    ).map((nft) => [nft._id, nft]),
  )
  return creators.map(({ userId, ...creator }) => ({
    ...{ _id: userId, ...creator, username: creator.username! },
    items: rows.filter(({ creatorId }) => creatorId === userId).map(({ id }) => nfts.get(id)!),
  }))
}

/** Works for sale of the creators with most sales, newest first. */
export async function topItems(db: Kysely<Database>) {
  const { rows } = await sql<{ id: string }>`
    select work.id
    from (
      select user_id from creator
      where exists (select from item where creator_id = user_id and for_sale)
      order by sales desc, works desc, user_id limit ${TOP_CREATORS}
    ) best,
    lateral (
      select id, shown_at from item
      where creator_id = best.user_id and for_sale order by shown_at desc, id desc limit ${TOP_ITEMS_EACH}
    ) work
    order by work.shown_at desc, work.id desc`.execute(db)
  return nftsByIds(
    db,
    rows.map(({ id }) => id),
  )
}
