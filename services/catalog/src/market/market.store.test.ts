import { openDatabase } from '@nifty/service-kit/database'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { catalog } from '../service.ts'
import { findMarket } from './market.store.ts'
import { readMarketQuery } from './market.ts'

const { url } = await createTestDatabase(catalog.migrations)
const db = openDatabase<Database>({ url, log: testLog })
afterAll(() => db.destroy())

const WORKS = 12_000
type StoredItem = { id: string; searchText: string; category: string; forSale: boolean }
let newestFirst: StoredItem[]

/** More items than `MAX_TOTAL`; terms are in all items, in old ones only, or in three. */
beforeAll(async () => {
  await sql`
    insert into item (id, token, contract, identifier, creator_id, owner_id, name, description, category, image, width,
      height, color, royalty_bps, minted_at, price_cents, for_sale, shown_at, search_text)
    select md5(n::text)::uuid, '0x/' || n, '0x', n::text, md5('a')::uuid, md5('a')::uuid, 'Work ' || n, '',
      case when n % 7 = 0 then 'Cube' else 'Art' end, '', 1, 1, '', 0, now(), 100, n % 3 = 0,
      timestamptz '2026-01-01' + (n / 2) * interval '1 second',
      'artist' || chr(31) || 'work ' || n || case when n < 2500 then ' früh' else '' end
        || case when n % 4000 = 11 then ' 狐 qz' else '' end || case when n % 9 = 1 then ' ninth tide' else '' end
    from generate_series(1, ${WORKS}::int) n`.execute(db)
  await sql`vacuum analyze item`.execute(db)
  const { rows } = await sql<StoredItem>`
    select id, search_text, category, for_sale from item order by shown_at desc, id desc`.execute(db)
  newestFirst = rows
})

const queries: Record<string, string>[] = [
  ...[{}, { page: '30' }, { page: '51' }, { limit: '7', page: '1429' }, { category: 'Cube', buyOption: 'now' }],
  ...[{ search: 'work' }, { search: 'work', page: '50' }, { search: 'k' }, { search: 'qz' }, { search: '狐' }],
  ...[{ search: 'früh' }, { search: 'FRÜH', page: '12' }, { search: 'rüh', page: '13' }, { search: 'ninth tide' }],
  ...[{ search: 'ninth tide', page: '7', buyOption: 'now' }, { search: 'work 777' }, { search: 'kwor' }],
  ...[{ search: 'tide', category: 'Cube', limit: '9', page: '3' }, { search: 'zq' }, { search: 'arti' }],
]

test.each(queries)('findMarket of %j equals filtering all items', async (params) => {
  const query = readMarketQuery(params)
  const all = newestFirst.filter(
    ({ searchText, category, forSale }) =>
      searchText.includes(query.search) &&
      (!query.category || category === query.category) &&
      (!query.forSale || forSale),
  )
  const offset = (query.page - 1) * query.limit
  const { nfts, total } = await db.transaction().execute((trx) => findMarket(trx, query))
  expect(total).toBe(Math.min(all.length, 10_000))
  expect(nfts.map(({ _id }) => _id)).toEqual(
    all
      .slice(0, 10_000)
      .slice(offset, offset + query.limit)
      .map(({ id }) => id),
  )
})
