import { inSnapshot } from '@nifty/service-kit/database/transaction'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestCatalog } from '../testing.ts'
import { findMarket } from './market.store.ts'
import { readMarketQuery } from './market.ts'
import { insertWorks } from './testing.ts'

const { db } = await startTestCatalog()

test('a text with all three-letter parts of a word, found by the index, is no hit without the word', async () => {
  await insertWorks(db, 1100)
  await sql`
    insert into item_text (item_id, creator, name, text)
    select id, '', lower(name), case identifier when '1' then ' abcx bcdx cdex' when '2' then 'abcde' else 'other' end
    from item order by identifier::int`.execute(db)
  const { nfts } = await inSnapshot(db, (snapshot) =>
    findMarket(snapshot, readMarketQuery({ search: 'abcde' }), { offers: true }),
  )
  expect(nfts.map(({ name }) => name)).toEqual(['Work 2'])
})
