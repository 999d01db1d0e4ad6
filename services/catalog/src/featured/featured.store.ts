import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/**
 * The newest listings among which one per artist is looked for, so that a page costs the same in a market of any size.
 */
const CANDIDATES = 1_000

/** Ids of the featured items in their order, hidden ones included. */
export async function findFeaturedIds(db: Kysely<Database>): Promise<string[]> {
  const rows = await db.selectFrom('featuredItem').select('itemId').orderBy('position').execute()
  return rows.map(({ itemId }) => itemId)
}

/** Waits for other changes of the list: they replace it as a whole. */
export async function lockFeatured(trx: Transaction<Database>): Promise<string[]> {
  await sql`lock table featured_item in share row exclusive mode`.execute(trx)
  return findFeaturedIds(trx)
}

export async function saveFeatured(trx: Transaction<Database>, itemIds: string[]) {
  await trx.deleteFrom('featuredItem').execute()
  const rows = itemIds.map((itemId, index) => ({ position: index + 1, itemId }))
  if (rows.length > 0) await trx.insertInto('featuredItem').values(rows).execute()
}

/** The newest work of each artist that can be bought now, newest first, without the artists of `featured`. */
export async function findOnePerArtist(db: Kysely<Database>, featured: string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from (
      select distinct on (creator_id) id, shown_at
      from (
        select id, creator_id, shown_at from item
        where for_sale and reserved_order is null
        order by shown_at desc, id desc limit ${CANDIDATES}
      ) newest
      where creator_id not in (select creator_id from item where id = any(${featured}::uuid[]))
      order by creator_id, shown_at desc, id desc
    ) one
    order by shown_at desc, id desc limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
