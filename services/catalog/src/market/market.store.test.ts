import { openDatabase } from '@nifty/service-kit/database/database'
import { createTestDatabase } from '@nifty/service-kit/testing/database'
import { testLog } from '@nifty/service-kit/testing/log'
import { CompiledQuery, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { catalog } from '../service.ts'
import { findMarket } from './market.store.ts'
import { type MarketQuery, readMarketQuery } from './market.ts'

const { url } = await createTestDatabase(catalog.migrations)
const db = openDatabase<Database>({ url, log: testLog })
afterAll(() => db.destroy())

const WORKS = 14_000
type Filtered = { colorName: string; orientation: string; priceCents: number | null; soldAt: Date | null }
type StoredItem = {
  id: string
  text: string
  creator: string
  name: string
  category: string
  forSale: boolean
  place: number
} & Filtered
let newestFirst: StoredItem[]

/**
 * More items than `MAX_TOTAL`, added in another order than they are shown; terms are in all items, in old ones only, or
 * in a few.
 */
beforeAll(async () => {
  await sql`
    insert into item (id, token, contract, identifier, creator_id, owner_id, name, description, category, image, width,
      height, color, color_name, orientation, royalty_bps, minted_at, price_cents, sold_at, for_sale, hidden_by, hidden_at, shown_at)
    select md5(n::text)::uuid, '0x/' || n, '0x', n::text, md5('a')::uuid, md5('a')::uuid, 'Work ' || n, '',
      case when n % 7 = 0 then 'Cube' else 'Art' end, '', 1, 1, '',
      case when n % 500 = 1 then 'teal' else 'black' end, case when n % 400 = 1 then 'square' else 'portrait' end, 0, now(),
      case when n % 6 > 0 or n % 3 = 0 then 100 + n % 5000 end,
      case when n % 50 = 1 then timestamptz '2026-01-01' + n * interval '1 minute' end, n % 3 = 0,
      case when n % 23 = 5 and n % 3 > 0 then 'owner' end, case when n % 23 = 5 and n % 3 > 0 then now() end,
      timestamptz '2026-01-01' + (n / 2) * interval '1 second'
    from generate_series(1, ${WORKS}::int) n`.execute(db)
  await sql`
    insert into item_text (item_id, creator, name, text)
    select id, creator, name, creator || chr(31) || name || chr(31) || case when n < 2500 then ' fruh' else '' end
      || case when n % 4000 = 11 then ' 狐 qz' else '' end || case when n % 9 = 1 then ' ninth tide' else '' end
      || case when n % 11 = 4 then ' eleventh' else '' end || case when n % 100 < 10 and n % 2 = 0 then ' formerly' else '' end
      || case when n / 100 % 20 = 1 or (n % 100 >= 93 and n / 100 % 5 = 0) then ' lately' else '' end
    from (
      select id, identifier::int as n, case when identifier::int % 11 = 2 then 'tide artist' else 'artist' end as creator,
        case when identifier::int in (4, 4019) then 'eleventh' else lower(name) end
          || case when identifier::int % 17 = 3 then ' tide' else '' end as name
      from item
    ) named order by n % 100, n`.execute(db)
  await sql`insert into search_word select lpad(to_hex(n), 6, 'x') || 'wort' from generate_series(1, 5000) n`.execute(
    db,
  )
  await sql`vacuum analyze`.execute(db)
  const { rows } = await sql<StoredItem>`
    select id, item_text.text, item_text.creator, item_text.name, category, for_sale, color_name, orientation,
      price_cents, sold_at, shown_at, place::int
    from item join item_text on item_id = id where hidden_at is null order by shown_at desc, id desc`.execute(db)
  newestFirst = rows
})

const queries: Record<string, string>[] = [
  {},
  { page: '30' },
  { page: '51' },
  { limit: '7', page: '1429' },
  { category: 'Cube', buyOption: 'now' },
  { search: 'work' },
  { search: 'work', page: '3' },
  { search: 'k' },
  { search: 'qz' },
  { search: '狐' },
  { search: 'früh' },
  { search: 'FRÜH', page: '12' },
  { search: 'rüh', page: '13' },
  { search: 'ninth tide' },
  { search: 'ninth tide', page: '7', buyOption: 'now' },
  { search: 'work 777' },
  { search: 'kwor' },
  { search: 'tide', category: 'Cube', limit: '9', page: '3' },
  { search: 'zq' },
  { search: 'arti' },
  { search: 'tide work' },
  { search: 'tide artist', page: '2' },
  { search: 'Work 1205' },
  { search: '777 tide' },
  { sort: 'price_asc' },
  { sort: 'price_desc', page: '7', buyOption: 'now' },
  { sort: 'recently_sold' },
  { minPrice: '12', maxPrice: '13.50' },
  { color: 'teal' },
  { orientation: 'square', sort: 'price_desc' },
  { search: 'eleventh' },
  { search: 'formerly' },
  { search: 'lately', page: '3' },
  { search: 'eleventh', page: '3' },
  { search: 'eleventh', page: '4' },
  { search: 'eleventh', buyOption: 'now' },
  { search: 'eleventh', sort: 'newest', page: '2' },
  { search: 'work', category: 'Cube', limit: '7', page: '72' },
  { search: 'work', sort: 'price_asc' },
  { search: 'tide', sort: 'recently_sold', maxPrice: '20' },
]

/** Of items that are newest first. */
const orders: Record<string, (a: StoredItem, b: StoredItem) => number> = {
  newest: () => 0,
  price_asc: (a, b) => a.priceCents! - b.priceCents! || newestFirst.indexOf(b) - newestFirst.indexOf(a),
  price_desc: (a, b) => b.priceCents! - a.priceCents!,
  recently_sold: (a, b) => Number(b.soldAt) - Number(a.soldAt),
}

const passes = ({ priceCents, soldAt, colorName, orientation }: Filtered, query: MarketQuery) =>
  (!query.sort?.startsWith('price') || priceCents !== null) &&
  (query.sort !== 'recently_sold' || soldAt !== null) &&
  (query.minCents === null || (priceCents !== null && priceCents >= query.minCents)) &&
  (query.maxCents === null || (priceCents !== null && priceCents <= query.maxCents)) &&
  (query.color === null || colorName === query.color) &&
  (query.orientation === null || orientation === query.orientation)

test.each(queries)('findMarket of %j equals filtering all items', async (params) => {
  const query = readMarketQuery(params)
  const words = query.search?.terms.flat() ?? []
  const all = newestFirst.filter(
    ({ text, category, forSale, ...rest }) =>
      words.every((word) => text.includes(word)) &&
      (!query.category || category === query.category) &&
      (!query.forSale || forSale) &&
      passes(rest, query),
  )
  const has = (text: string) => words.every((word) => text.includes(word))
  const rank = ({ name, creator }: StoredItem) =>
    name === query.search?.name ? 3 : has(name) ? 2 : has(`${creator} ${name}`) ? 1 : 0
  const isFiltered = query.forSale || query.category !== ''
  const counted = query.search ? 500 : 10_000
  if (query.sort) all.sort(orders[query.sort])
  else if (all.length > counted && query.search) {
    if (!isFiltered) all.sort((a, b) => b.place - a.place)
    all.sort((a, b) => Number(rank(b) === 3) - Number(rank(a) === 3))
  } else if (query.search) all.sort((a, b) => rank(b) - rank(a))
  const offset = (query.page - 1) * query.limit
  const { nfts, total } = await db.transaction().execute((trx) => findMarket(trx, query, { offers: true }))
  expect(total).toBe(Math.min(all.length, counted))
  expect(nfts.map(({ _id }) => _id)).toEqual(
    all
      .slice(0, counted)
      .slice(offset, offset + query.limit)
      .map(({ id }) => id),
  )
})

type Executed = { statements: CompiledQuery[]; explain: (query: CompiledQuery) => Promise<string[]> }

/** Runs the query and hands over its statements, within the same transaction. */
const executed = <Result>(params: Record<string, string>, check: (executed: Executed) => Promise<Result> | Result) =>
  db.transaction().execute(async (trx) => {
    const executor = trx.getExecutor()
    const execute = executor.executeQuery.bind(executor)
    const statements: CompiledQuery[] = []
    Object.assign(executor, {
      executeQuery: (query: CompiledQuery) => {
        statements.push(query)
        return execute(query)
      },
    })
    await findMarket(trx, readMarketQuery(params), { offers: true })
    const explain = async ({ sql: text, parameters }: CompiledQuery) => {
      const { rows } = await execute(CompiledQuery.raw(`explain ${text}`, [...parameters]))
      return rows.map((row) => Object.values(row as object)[0] as string)
    }
    return check({ statements, explain })
  })

const rare: Record<string, string>[] = [
  { sort: 'price_asc' },
  { sort: 'price_desc', buyOption: 'now' },
  { sort: 'recently_sold' },
  { color: 'teal' },
  { orientation: 'square' },
  { minPrice: '12', maxPrice: '12.50' },
  { color: 'teal', sort: 'price_desc' },
  {},
  { page: '30' },
  { category: 'Cube', buyOption: 'now' },
  { search: 'work', sort: 'price_asc' },
  { search: 'eleventh' },
  { search: 'formerly' },
  { search: 'lately', page: '3' },
  { search: 'qz' },
  { search: '狐 qz' },
  { search: 'no such words' },
  { search: 'xx0fffwrot' },
  { search: '%_\\' },
  { search: 'жар-птица' },
  { search: 'x'.repeat(100) },
  { search: 'a b c d e f g h i j k l m n o p qz' },
]

test.each(rare)('findMarket of %j scans no table from end to end', async (params) => {
  const plans = await executed(params, async ({ statements, explain }) => {
    const lines: string[] = []
    for (const statement of statements) lines.push(...(await explain(statement)))
    return lines
  })
  expect(plans.length).toBeGreaterThan(0)
  expect(plans.filter((line) => /Seq Scan on (item|item_text|search_word)\b/.test(line))).toEqual([])
})

test('a search with similar words does not begin with works whose name has no letter', async () => {
  const { id } = newestFirst.find(({ text }) => !text.includes('eleventh'))!
  const found = await db.transaction().execute(async (trx) => {
    await sql`insert into search_word values ('eleventh')`.execute(trx)
    await sql`update item_text set name = '' where item_id = ${id}`.execute(trx)
    return findMarket(trx, readMarketQuery({ search: 'elevneth' }), { offers: true })
  })
  expect(found).toMatchObject({ total: 500, similar: true })
  expect(found.nfts.map(({ _id }) => _id)).not.toContain(id)
})
