import { inSnapshot } from '@nifty/service-kit/database/transaction'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'
import { findMarket } from './market.store.ts'
import { readMarketQuery } from './market.ts'
import { insertWorks } from './testing.ts'

const { db } = await startTestCatalog()

test('of more hits than are ranked, in fewer works than the sample has, the last added come first', async () => {
  await insertWorks(db, 700)
  await sql`
    insert into item_text (item_id, creator, name, text)
    select id, '', lower(name), lower(name) from item order by identifier::int`.execute(db)
  const { nfts, total } = await inSnapshot(db, (snapshot) =>
    findMarket(snapshot, readMarketQuery({ search: 'work', limit: '3' }), { offers: true }),
  )
  expect(total).toBe(500)
  expect(nfts.map(({ name }) => name)).toEqual(['Work 700', 'Work 699', 'Work 698'])
})
