import type { Market } from '@nifty/api/catalog/public'
import { categories } from '@nifty/api/categories'
import type { MarketSale, MarketSort } from '@nifty/api/market-filters'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { nftsByIds, type Shown } from '../items/nft.store.ts'
import { findArtists } from './artist.store.ts'
import type { MarketQuery } from './market.ts'
import { MAX_TOTAL, type Rows, rowsOf } from './paging.ts'
import { findHits, type Hits } from './search.store.ts'
import type { Selection, Sql } from './selection.ts'

/**
 * One page of the market, read in the caller's transaction: newest listing first, or ranked for a search, unless
 * sorted. `total` is at most `MAX_TOTAL`, of a search `MAX_HITS`.
 */
export async function findMarket(db: Transaction<Database>, query: MarketQuery, shown: Shown): Promise<Market> {
  const { page, limit, search } = query
  const selection = query.sale === 'offers' && !shown.offers ? undefined : await selectionOf(db, query)
  if (!selection) return { nfts: [], total: 0, page, limit }
  await tune(db, selection)
  const rows = rowsOf(query)
  const { ids, total, similar } = search ? await findHits(db, selection, search, rows) : await list(db, selection, rows)
  return { nfts: await nftsByIds(db, ids, shown), total, page, limit, ...(similar && { similar }) }
}

const orders: Record<MarketSort, Pick<Selection, 'order' | 'columns'>> = {
  for_sale: {
    order: sql`(for_sale or auction_id is not null) desc, shown_at desc, item.id desc`,
    columns: sql`for_sale, auction_id, shown_at`,
  },
  newest: { order: sql`shown_at desc, item.id desc`, columns: sql`shown_at` },
  price_asc: { order: sql`price_cents, shown_at, item.id`, columns: sql`price_cents, shown_at` },
  price_desc: { order: sql`price_cents desc, shown_at desc, item.id desc`, columns: sql`price_cents, shown_at` },
  recently_sold: { order: sql`sold_at desc, item.id desc`, columns: sql`sold_at` },
}

/** The auction that ends first; those whose first bid starts the clock come last. */
const endingFirst = {
  order: sql`(select ends_at from auction where auction.id = auction_id) nulls last, shown_at desc, item.id desc`,
  columns: sql`auction_id, shown_at`,
}

/** The whole conditions of partial indexes: they are also read for works for sale that take offers. */
const ofSales: Record<MarketSale, Sql[]> = {
  offers: [sql`offer_minimum_cents is not null`, sql`hidden_at is null`],
  auctions: [sql`auction_id is not null`, sql`reserved_order is null`, sql`hidden_at is null`],
}

/** Undefined if no item can match. Items without a price are in no list by price, and unsold ones in none of sales. */
async function selectionOf(db: Transaction<Database>, query: MarketQuery): Promise<Selection | undefined> {
  const { category, forSale, sale, sort, minCents, maxCents, color, orientation, creator } = query
  if (category !== '' && !categories.some((name) => name === category)) return undefined
  const artists = creator === null ? undefined : await findArtists(db, creator)
  if (artists?.length === 0) return undefined
  const ofSort = [
    (sort === 'price_asc' || sort === 'price_desc') && sql`price_cents is not null`,
    sort === 'recently_sold' && sql`sold_at is not null`,
  ].filter(Boolean)
  const ofValues = [
    category && sql`category = ${category}`,
    minCents !== null && sql`price_cents >= ${minCents}`,
    maxCents !== null && sql`price_cents <= ${maxCents}`,
    color && sql`color_name = ${color}`,
    orientation && sql`orientation = ${orientation}`,
    artists && (artists.length === 1 ? sql`creator_id = ${artists[0]}` : sql`creator_id = any(${artists}::uuid[])`),
  ].filter(Boolean)
  const ofSale = sale === null ? [] : ofSales[sale]
  const shown = forSale ? sql`for_sale` : sql`hidden_at is null`
  return {
    filter: sql.join([shown, ...ofSale, ...ofSort, ...ofValues], sql` and `),
    ...(sale === 'auctions' && sort === null ? endingFirst : orders[sort ?? 'newest']),
    sorted: sort !== null,
    filtered: forSale || sale !== null || sort === 'recently_sold' || ofValues.length > 0,
    byValue: ofValues.length > 0,
  }
}

/**
 * Planner settings for this transaction. With little `work_mem` the bitmap of the search index becomes lossy, and every
 * row of a page is rechecked; with `random_page_cost` of a spinning disk the category indexes are not used. Starting
 * workers takes longer than most queries, and how many texts match is estimated too roughly for sequential scans and
 * JIT. Which index is best depends on the values of filters: the plan that PostgreSQL keeps for all of them took a
 * second for some.
 */
const tune = (db: Transaction<Database>, { byValue }: Selection) =>
  sql`select set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true), set_config('jit', 'off', true),
    set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
    set_config('plan_cache_mode', ${byValue ? 'force_custom_plan' : 'auto'}, true)`.execute(db)

async function list(db: Transaction<Database>, { filter, order }: Selection, { offset, size }: Rows): Promise<Hits> {
  const { rows } = await sql<{ total: number; ids: string[] }>`
    select (select count(*) from (select from item where ${filter} limit ${MAX_TOTAL}) counted) as total, array(
      select id from item where ${filter} order by ${order} limit ${size} offset ${offset}
    )::text[] as ids`.execute(db)
  return { ...rows[0]!, similar: false }
}
