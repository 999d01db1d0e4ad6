import type { Market } from '@nifty/api/catalog'
import { categories } from '@nifty/api/catalog'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { nftsByIds } from '../items/nft.store.ts'
import { gramsOf } from '../items/search-text.ts'
import { MAX_TOTAL, type MarketQuery } from './market.ts'

/** How many of the newest items tell how common a search is. */
const SAMPLE = 2_000
/** From this share of matches on, walking the newest finds 10,000 sooner than the index can list them all. */
const COMMON = 0.1

type Window = { filter: RawBuilder<unknown>; limit: number; offset: number }
type Found = { total: number; ids: string[] }

/** One page of the market, newest listing first, read in the caller's transaction. `total` is exact to 10,000; nobody pages further. */
export async function findMarket(db: Transaction<Database>, query: MarketQuery): Promise<Market> {
  const { page, limit, search, category, forSale } = query
  const offset = (page - 1) * limit
  const known = category === '' || categories.some((name) => name === category)
  const filter = sql.join(
    [forSale ? sql`for_sale` : sql`hidden_at is null`, ...(category ? [sql`category = ${category}`] : [])],
    sql` and `,
  )
  await tune(db)
  const window = { filter, offset, limit: Math.max(0, Math.min(limit, MAX_TOTAL - offset)) }
  const found = !known
    ? { total: 0, ids: [] }
    : search
      ? await findBySearch(db, window, search)
      : await walk(db, window)
  return { nfts: await nftsByIds(db, found.ids), total: found.total, page, limit }
}

/**
 * For this transaction. With little memory the search index names whole pages, and every text on them is cut into parts
 * again; and by the costs of turning disks the newest of a category would be found by looking at all the newest.
 */
const tune = (db: Transaction<Database>) =>
  sql`select set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true)`.execute(db)

const first = async <Row>(db: Kysely<Database>, query: RawBuilder<Row>) => (await query.execute(db)).rows[0]!

const pageOf = async (db: Kysely<Database>, { filter, limit, offset }: Window): Promise<string[]> =>
  limit === 0
    ? []
    : (
        await sql<{ id: string }>`
          select id from item where ${filter} order by shown_at desc, id desc limit ${limit} offset ${offset}`.execute(
          db,
        )
      ).rows.map(({ id }) => id)

/** Along the index of the newest. */
async function walk(db: Kysely<Database>, window: Window): Promise<Found> {
  const { total } = await first(
    db,
    sql<{ total: number }>`
      select count(*) as total from (
        select from item where ${window.filter} order by shown_at desc, id desc limit ${MAX_TOTAL}
      ) counted`,
  )
  return { total, ids: await pageOf(db, window) }
}

/**
 * Literal search. A sample of the newest tells how common the term is: common terms are found by walking the newest,
 * rare ones by the index of their parts, so that neither needs to look at most of a million items.
 */
async function findBySearch(db: Transaction<Database>, window: Window, search: string): Promise<Found> {
  const matches = sql`position(${search} in search_text) > 0`
  const walking = { ...window, filter: sql`${window.filter} and ${matches}` }
  const { seen, hits, items } = await first(
    db,
    sql<{ seen: number; hits: number; items: number }>`
      select count(*) as seen, count(*) filter (where ${matches}) as hits,
        (select greatest(reltuples, 0)::bigint from pg_class where oid = 'item'::regclass) as items
      from (select search_text from item where ${window.filter} order by shown_at desc, id desc limit ${SAMPLE}) newest`,
  )
  if (seen < SAMPLE) return { total: hits, ids: hits > window.offset ? await pageOf(db, walking) : [] }
  const share = Math.max(1, hits) / seen
  if (share >= COMMON) return walk(db, walking)

  const grams = sql`search_grams(search_text) @> ${gramsOf(search)}::text[]`
  const indexed = { ...window, filter: sql`${grams} and ${walking.filter}` }
  const few = await gather(db, indexed, MAX_TOTAL)
  if (few.total < MAX_TOTAL) return few
  const walked = (window.offset + window.limit) / share
  return walked < share * items ? { total: MAX_TOTAL, ids: await pageOf(db, walking) } : gather(db, indexed, null)
}

/** All that match, or the first so many of them in no order, then sorted. */
async function gather(db: Kysely<Database>, { filter, limit, offset }: Window, atMost: number | null): Promise<Found> {
  const { total, ids } = await first(
    db,
    sql<Found>`
      with hit as materialized (select id, shown_at from item where ${filter} limit ${atMost})
      select least((select count(*) from hit), ${MAX_TOTAL}) as total,
        array(select id from hit order by shown_at desc, id desc limit ${limit} offset ${offset})::text[] as ids`,
  )
  return { total, ids }
}
