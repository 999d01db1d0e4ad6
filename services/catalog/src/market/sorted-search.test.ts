import { inSnapshot } from '@nifty/service-kit/database/transaction'
import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'
import { findMarket } from './market.store.ts'
import { readMarketQuery } from './market.ts'
import { insertWorks } from './testing.ts'

const { db } = await startTestCatalog()
const WORKS = 4_000
type Work = { id: string; text: string; priceCents: number | null; forSale: boolean; shownAt: Date }
let visible: Work[]

/**
 * `common`: a third of all works. Of the thousand added last: `recent` some hundreds, `few` a hundred, `draft` many
 * without a price. `again`: among those, and then among works so much older that a count does not reach them.
 */
beforeAll(async () => {
  await insertWorks(db, WORKS)
  await sql`
    update item set price_cents = case when identifier::int not between 3200 and 3600 then 100 + identifier::int * 7 % 90 end,
      hidden_by = case when identifier::int % 23 = 5 then 'owner' end, hidden_at = case when identifier::int % 23 = 5 then now() end`.execute(
    db,
  )
  await sql`update item set for_sale = true where price_cents is not null and hidden_at is null and price_cents % 2 = 0`.execute(
    db,
  )
  await sql`
    insert into item_text (item_id, creator, name, text)
    select id, '', lower(name), lower(name) || case when n % 3 = 0 then ' common' else '' end
      || case when n > 3000 and n % 5 < 2 then ' recent' else '' end || case when n > 3000 and n % 10 = 7 then ' few' else '' end
      || case when n > 3000 and n % 10 < 7 then ' draft' else '' end
      || case when n % 10 < 4 and n not between 1500 and 3000 then ' again' else '' end
    from (select id, name, identifier::int as n from item) numbered order by n`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const { rows } = await sql<Work>`
    select id, text, price_cents, for_sale, shown_at from item join item_text on item_id = id where hidden_at is null
    order by shown_at desc, id desc`.execute(db)
  visible = rows
})

/** Of works that are newest first. */
const orders: Record<string, (a: Work, b: Work) => number> = {
  price_asc: (a, b) => a.priceCents! - b.priceCents! || Number(a.shownAt) - Number(b.shownAt),
  price_desc: (a, b) => b.priceCents! - a.priceCents!,
  newest: () => 0,
  for_sale: (a, b) => Number(b.forSale) - Number(a.forSale),
}

const searches = ['common', 'recent', 'few', 'draft', 'again', 'common recent']
const pages: Record<string, string>[] = [{}, { page: '2' }, { page: '3' }, { limit: '24' }, { limit: '24', page: '9' }]
const queries = Object.keys(orders).flatMap((sort) =>
  searches.flatMap((search) => pages.map((page) => ({ search, sort, ...page }))),
)

test.each(queries)('a page of the sorted search %j equals filtering all works', async (params) => {
  const query = readMarketQuery(params)
  const hits = visible
    .filter(
      ({ text, priceCents }) =>
        params.search.split(' ').every((word) => text.includes(word)) &&
        (!params.sort.startsWith('price') || priceCents !== null),
    )
    .sort(orders[params.sort])
    .slice(0, 500)
  const offset = (query.page - 1) * query.limit

  const { nfts, total } = await inSnapshot(db, (snapshot) => findMarket(snapshot, query, { offers: true }))

  expect(total).toBe(hits.length)
  expect(nfts.map(({ _id }) => _id)).toEqual(hits.slice(offset, offset + query.limit).map(({ id }) => id))
})
