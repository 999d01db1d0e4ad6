import { openDatabase } from '@nifty/service-kit/database/database'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { catalog } from '../service.ts'
import { findMarket } from './market.store.ts'
import { readMarketQuery } from './market.ts'

const { url } = await createTestDatabase(catalog.migrations)
const db = openDatabase<Database>({ url, log: testLog, maxConnections: 1 })
afterAll(() => db.destroy())

beforeAll(async () => {
  await sql`
    insert into item (id, token, contract, identifier, creator_id, name, description, category, image, width,
      height, color, color_name, orientation, royalty_bps, minted_at, price_cents, shown_at)
    select md5(n::text)::uuid, '0x/' || n, '0x', n::text, md5('a')::uuid, 'Work ' || n, '', 'Art', '', 1, 1, '',
      case when n % 200 = 3 then 'teal' else 'grey' end, case when n % 50 = 3 then 'square' else 'landscape' end,
      0, now(), 5000 + n * 7919 % 100000, now() - n * interval '1 minute'
    from generate_series(1, 20000) n`.execute(db)
  await sql`
    insert into item_text (item_id, creator, name, text) select id, '', lower(name), lower(name) from item`.execute(db)
  await sql`vacuum analyze`.execute(db)
})

test('works that take offers are found by their index', async () => {
  await sql`update item set offer_minimum_cents = 5000 where identifier::int % 250 = 1`.execute(db)
  await sql`analyze item`.execute(db)

  const query = readMarketQuery({ sale: 'offers', limit: '10' })
  const { nfts, total } = await db.transaction().execute((trx) => findMarket(trx, query, { offers: true }))

  expect([nfts.length, total]).toEqual([10, 80])
  expect(await scansOf('item_takes_offers')).toBeGreaterThan(0)
})

test('works on auction are found by their index', async () => {
  await sql`
    insert into auction (id, item_id, seller_id, opening_cents, hours)
    select id, id, creator_id, 5000, 24 from item where identifier::int % 250 = 2`.execute(db)
  await sql`update item set auction_id = id, owner_id = creator_id where identifier::int % 250 = 2`.execute(db)
  await sql`analyze item`.execute(db)

  const query = readMarketQuery({ sale: 'auctions', limit: '10' })
  const { nfts, total } = await db.transaction().execute((trx) => findMarket(trx, query, { offers: true }))

  expect([nfts.length, total]).toEqual([10, 80])
  expect(await scansOf('item_on_auction')).toBeGreaterThan(0)
})

test.each([
  ['all categories', {}, 'item_available_first_covering'],
  ['one category', { category: 'Art' }, 'item_category_available_first_covering'],
])('the works that can be bought come first, of %s in the order of an index', async (_what, params, index) => {
  const before = await scansOf(index)
  const query = readMarketQuery({ ...params, sort: 'for_sale', limit: '10' })
  await db.transaction().execute((trx) => findMarket(trx, query, { offers: true }))
  expect(await scansOf(index)).toBeGreaterThan(before)
})

async function scansOf(index: string): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db)
  const { rows } = await sql<{ scans: number }>`
    select idx_scan as scans from pg_stat_user_indexes where indexrelname = ${index}`.execute(db)
  return Number(rows[0]!.scans)
}

/** More than it takes until PostgreSQL may keep one plan for all values. */
const REPEATS = 12

test.each<Record<string, string>>([
  { color: 'grey', orientation: 'square', minPrice: '100', maxPrice: '120' },
  { minPrice: '100', maxPrice: '200', page: '5' },
  { search: 'work 1', minPrice: '100', maxPrice: '110' },
])('a filter is planned for its own values, however often: %j', async (params) => {
  for (let repeat = 0; repeat < REPEATS; repeat++)
    await db.transaction().execute((trx) => findMarket(trx, readMarketQuery(params), { offers: true }))
  const { rows } = await sql<{ statement: string; general: number }>`
    select statement, generic_plans as general from pg_prepared_statements where statement like '%price_cents >= %'`.execute(
    db,
  )
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.filter(({ general }) => general > 0)).toEqual([])
})
