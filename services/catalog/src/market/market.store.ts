import type { Market } from '@nifty/api/catalog/public'
import { categories } from '@nifty/api/categories'
import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { nftsByIds } from '../items/nft.store.ts'
import { MAX_TOTAL, type MarketQuery } from './market.ts'
import { gramsOf } from './search.ts'

/** Size of the sample of newest items that estimates how common a term is. */
const SAMPLE = 2_000
/** Above this share of matches, scanning by date finds 10,000 items sooner than the search index does. */
const COMMON_SHARE = 0.1

type Window = { filter: RawBuilder<unknown>; limit: number; offset: number }
type Found = { total: number; ids: string[] }

/** One page of the market, newest listing first, read in the caller's transaction. `total` is capped at `MAX_TOTAL`. */
export async function findMarket(db: Transaction<Database>, query: MarketQuery): Promise<Market> {
  const { page, limit, search, category, forSale } = query
  const offset = (page - 1) * limit
  const categoryExists = category === '' || categories.some((name) => name === category)
  const filter = sql.join(
    [forSale ? sql`for_sale` : sql`hidden_at is null`, ...(category ? [sql`category = ${category}`] : [])],
    sql` and `,
  )
  await tune(db)
  const window = { filter, offset, limit: Math.max(0, Math.min(limit, MAX_TOTAL - offset)) }
  const found = !categoryExists
    ? { total: 0, ids: [] }
    : search
      ? await findBySearch(db, window, search)
      : await scan(db, window)
  return { nfts: await nftsByIds(db, found.ids), total: found.total, page, limit }
}

/**
 * Planner settings for this transaction. With little `work_mem` the bitmap of the search index becomes lossy, and every
 * row of a page is rechecked; with `random_page_cost` of a spinning disk the category indexes are not used.
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

/** Scans by date. */
async function scan(db: Kysely<Database>, window: Window): Promise<Found> {
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
 * Substring search. A sample of the newest items estimates how common the term is: common terms are found by scanning by
 * date, rare ones by the search index, so that both avoid reading most of a million items.
 */
async function findBySearch(db: Transaction<Database>, window: Window, search: string): Promise<Found> {
  const matches = sql`position(${search} in search_text) > 0`
  const scanned = { ...window, filter: sql`${window.filter} and ${matches}` }
  const { seen, hits, items } = await first(
    db,
    sql<{ seen: number; hits: number; items: number }>`
      select count(*) as seen, count(*) filter (where ${matches}) as hits,
        (select greatest(reltuples, 0)::bigint from pg_class where oid = 'item'::regclass) as items
      from (select search_text from item where ${window.filter} order by shown_at desc, id desc limit ${SAMPLE}) newest`,
  )
  if (seen < SAMPLE) return { total: hits, ids: hits > window.offset ? await pageOf(db, scanned) : [] }
  const share = Math.max(1, hits) / seen
  if (share >= COMMON_SHARE) return scan(db, scanned)

  const grams = sql`search_grams(search_text) @> ${gramsOf(search)}::text[]`
  const indexed = { ...window, filter: sql`${grams} and ${scanned.filter}` }
  const matched = await gather(db, indexed, MAX_TOTAL)
  if (matched.total < MAX_TOTAL) return matched
  const rowsToScan = (window.offset + window.limit) / share
  return rowsToScan < share * items ? { total: MAX_TOTAL, ids: await pageOf(db, scanned) } : gather(db, indexed, null)
}

/** Collects all matches, or any `atMost` of them, and sorts them afterwards. */
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
