import type { Market } from '@nifty/api/catalog/public'
import { categories } from '@nifty/api/categories'
import type { MarketSort } from '@nifty/api/market-filters'
import { sql, type Transaction } from 'kysely'
import { findAccountByUsername } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { nftsByIds } from '../items/nft.store.ts'
import { type Hits, ID_BYTES, type KeptHits } from './hits-cache.ts'
import { type MarketQuery, selectionKeyOf } from './market.ts'
import { MAX_HITS, MAX_TOTAL, rowsOf } from './paging.ts'
import { findHits } from './search.store.ts'
import type { Selection } from './selection.ts'

/** Keeps nothing: every page finds its hits again. */
const forgetful: KeptHits = { get: () => undefined, put: () => {} }

/**
 * One page of the market, read in the caller's transaction: newest listing first, or ranked for a search, unless sorted. `total` is at most
 * `MAX_TOTAL`, of a search `MAX_HITS`. `kept`: the hits and totals of other pages, of the transaction's generation.
 */
export async function findMarket(
  db: Transaction<Database>,
  query: MarketQuery,
  kept: KeptHits = forgetful,
): Promise<Market> {
  const { page, limit, search } = query
  const selection = await selectionOf(db, query)
  if (!selection) return { nfts: [], total: 0, page, limit }
  await tune(db, selection)
  const key = selectionKeyOf(query)
  const rows = rowsOf(query)
  let found = kept.get(key)
  if (!found || (search && !hasRows(found, rows))) {
    // After a second page further ones are likely.
    const needed = found ? MAX_HITS : rows.offset + rows.size
    found = search ? await findHits(db, selection, search, needed) : await count(db, selection)
    kept.put(key, found)
  }
  const ids = search ? idsOf(found, rows) : await scan(db, selection, rows)
  const similar = found.similar ? { similar: true as const } : {}
  return { nfts: await nftsByIds(db, ids), total: found.total, page, limit, ...similar }
}

const orders: Record<MarketSort, Pick<Selection, 'order' | 'columns'>> = {
  for_sale: { order: sql`for_sale desc, shown_at desc, item.id desc`, columns: sql`for_sale, shown_at` },
  newest: { order: sql`shown_at desc, item.id desc`, columns: sql`shown_at` },
  price_asc: { order: sql`price_cents, shown_at, item.id`, columns: sql`price_cents, shown_at` },
  price_desc: { order: sql`price_cents desc, shown_at desc, item.id desc`, columns: sql`price_cents, shown_at` },
  recently_sold: { order: sql`sold_at desc, item.id desc`, columns: sql`sold_at` },
}

/** Undefined if no item can match. Items without a price are in no list by price, and unsold ones in none of sales. */
async function selectionOf(db: Transaction<Database>, query: MarketQuery): Promise<Selection | undefined> {
  const { category, forSale, sort, minCents, maxCents, color, orientation, creator } = query
  if (category !== '' && !categories.some((name) => name === category)) return undefined
  const artist = creator === null ? undefined : await findAccountByUsername(db, creator)
  if (creator !== null && !artist) return undefined
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
    artist && sql`creator_id = ${artist.userId}`,
  ].filter(Boolean)
  const shown = forSale ? sql`for_sale` : sql`hidden_at is null`
  return {
    filter: sql.join([shown, ...ofSort, ...ofValues], sql` and `),
    ...orders[sort ?? 'newest'],
    sorted: sort !== null,
    filtered: forSale || sort === 'recently_sold' || ofValues.length > 0,
    byValue: ofValues.length > 0,
  }
}

/**
 * Planner settings for this transaction. With little `work_mem` the bitmap of the search index becomes lossy, and every
 * row of a page is rechecked; with `random_page_cost` of a spinning disk the category indexes are not used. Starting
 * workers takes longer than most queries, and how many texts match is estimated too roughly for sequential scans and JIT.
 * Which index is best depends on the values of filters: the plan that PostgreSQL keeps for all of them took a second for some.
 */
const tune = (db: Transaction<Database>, { byValue }: Selection) =>
  sql`select set_config('work_mem', '64MB', true), set_config('random_page_cost', '1.1', true), set_config('jit', 'off', true),
    set_config('enable_seqscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true),
    set_config('plan_cache_mode', ${byValue ? 'force_custom_plan' : 'auto'}, true)`.execute(db)

async function count(db: Transaction<Database>, { filter }: Selection): Promise<Hits> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (select from item where ${filter} limit ${MAX_TOTAL}) counted`.execute(db)
  return { total: rows[0]!.total, ids: Buffer.alloc(0), similar: false }
}

type Window = ReturnType<typeof rowsOf>

async function scan(db: Transaction<Database>, { filter, order }: Selection, { offset, size }: Window) {
  if (size === 0) return []
  const { rows } = await sql<{ id: string }>`
    select id from item where ${filter} order by ${order} limit ${size} offset ${offset}`.execute(db)
  return rows.map(({ id }) => id)
}

const hasRows = ({ total, ids }: Hits, { offset, size }: Window) =>
  ids.length / ID_BYTES >= Math.min(total, offset + size)

function idsOf({ ids }: Hits, { offset, size }: Window): string[] {
  const part = ids.subarray(offset * ID_BYTES, (offset + size) * ID_BYTES)
  return Array.from({ length: part.length / ID_BYTES }, (_, at) =>
    part
      .toString('hex', at * ID_BYTES, (at + 1) * ID_BYTES)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
  )
}
