import { accountChanged } from '@nifty/events/auth'
import { deliveryFinal } from '@nifty/events/minting'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, orderFor, startTestCatalog, txHash, wallet } from '../testing.ts'

const { app, db, get, post, market, runJob, consume, givenAccount, givenItem, moveToken } = await startTestCatalog()
const ada = await givenAccount({ admin: true, username: '@Ada', wallet: wallet() })
const ben = await givenAccount({ admin: true, username: '@ben' })

const picture = (color: string, [width, height]: [number, number]) => ({
  path: '/uploads/nfts/x',
  width,
  height,
  color,
})
await givenItem(ada.userId, { name: 'Cheap', priceCents: 1_050, picture: picture('#d02020', [900, 1600]) })
const dear = await givenItem(ada.userId, { name: 'Dear', priceCents: 90_000, picture: picture('#2b5fd9', [1600, 900]) })
await givenItem(ben.userId, { name: 'Middle', priceCents: 20_000, picture: picture('#2b5fd9', [1000, 1000]) })
await givenItem(ben.userId, { name: 'Kept', priceCents: null, picture: picture('#0b0b0d', [900, 1600]) })

const names = async (query: string) => (await market(query)).nfts.map(({ name }) => name)

test.each([
  ['', ['Middle', 'Dear', 'Cheap', 'Kept']],
  ['sort=newest', ['Middle', 'Dear', 'Cheap', 'Kept']],
  ['sort=price_asc', ['Cheap', 'Middle', 'Dear']],
  ['sort=price_desc', ['Dear', 'Middle', 'Cheap']],
  ['sort=price_desc&search=@ada', ['Dear', 'Cheap']],
  ['sort=price_asc&limit=1&page=2', ['Middle']],
  ['sort=recently_sold', []],
  ['minPrice=10.50&maxPrice=200', ['Middle', 'Cheap']],
  ['minPrice=10.51', ['Middle', 'Dear']],
  ['maxPrice=0', []],
  ['minPrice=200&maxPrice=200.00', ['Middle']],
  ['color=blue', ['Middle', 'Dear']],
  ['color=blue&orientation=square', ['Middle']],
  ['orientation=portrait', ['Cheap', 'Kept']],
  ['orientation=portrait&buyOption=now', ['Cheap']],
  ['orientation=landscape', ['Dear']],
  ['creator=@ada', ['Dear', 'Cheap']],
  ['creator=ADA&search=cheap', ['Cheap']],
  ['creator=nobody', []],
  ['sort=&minPrice=&maxPrice=&color=&orientation=&creator=', ['Middle', 'Dear', 'Cheap', 'Kept']],
])('the market with "%s"', async (query, found) => {
  expect(await names(`?${query}`)).toEqual(found)
})

test('an artist is found by username first, then by words of the name, in any order and without accents', async () => {
  const ines = await givenAccount({ admin: true, username: '@quiet.atlas', firstName: 'Inês', lastName: 'Arrowsmith' })
  const other = await givenAccount({ admin: true, username: '@arrows', firstName: 'Ines', lastName: 'Berg' })
  await givenAccount({ admin: true, username: '@ines.collects', firstName: 'Ines', lastName: 'Coll' })
  await givenItem(ines.userId, { name: 'Atlas' })
  await givenItem(other.userId, { name: 'Bow' })
  const by = (creator: string) => names(`?creator=${encodeURIComponent(creator)}`)
  expect(await by('ines')).toEqual(['Bow', 'Atlas'])
  expect(await by('Inês Arrowsmith')).toEqual(['Atlas'])
  expect(await by(' arrowsmith  INES ')).toEqual(['Atlas'])
  expect(await by('arrows')).toEqual(['Bow'])
  expect(await by('@ines')).toEqual([])
  expect(await by('quiet')).toEqual(['Atlas'])
  // Who made no work is no artist.
  expect(await by('coll')).toEqual([])
  expect(await by('…')).toEqual([])

  await consume(messageOf(accountChanged, { ...ines, version: 2, firstName: 'Agnes' }))
  expect(await by('Inês Arrowsmith')).toEqual([])
  expect(await by('agnes')).toEqual(['Atlas'])
})

test.each([
  ['sort=cheapest', ['sort']],
  ['sort=__proto__', ['sort']],
  ['color=Blue', ['color']],
  ['orientation=round', ['orientation']],
  ['minPrice=-1', ['minPrice']],
  ['minPrice=1e3', ['minPrice']],
  ['maxPrice=1.005', ['maxPrice']],
  ['maxPrice=9999999', ['maxPrice']],
  ['minPrice=20&maxPrice=10', ['maxPrice']],
  ['creator=@', ['creator']],
  [`creator=${'x'.repeat(301)}`, ['creator']],
  ['sort=x&color=y&minPrice=z', ['sort', 'minPrice', 'color']],
])('a market with "%s" is refused beside the parameter', async (query, paths) => {
  const response = await app.inject(`/api/nfts/market?${query}`)
  expect(response.statusCode).toBe(400)
  const { code, errors } = response.json()
  expect(code).toBe('invalid_filter')
  expect(errors.map(({ path }: { path: string }) => path).sort()).toEqual([...paths].sort())
})

test('a sold work is the most recently sold, and no longer in the list for sale', async () => {
  const order = orderFor([dear])
  await post('/internal/reservations', order)
  const buyer = await givenAccount({ wallet: wallet() })
  const sale = txHash()
  await moveToken(dear, { ownerId: buyer.userId, wallet: buyer.wallet, txHash: sale })
  await consume(
    messageOf(deliveryFinal, {
      lineId: crypto.randomUUID(),
      orderId: order.orderId,
      itemId: dear.itemId,
      token: dear.token,
      buyerId: buyer.userId,
      wallet: buyer.wallet!,
      txHash: sale,
      block: 7,
      at,
    }),
  )
  expect(await names('?sort=recently_sold')).toEqual(['Dear'])
  expect(await names('?sort=recently_sold&buyOption=now')).toEqual([])
  expect(await names('?creator=ada')).toEqual(['Dear', 'Cheap'])
})

test('the page of an item names its colour; a job fills those of an earlier version', async () => {
  expect(await get(dear.page)).toMatchObject({ colorName: 'blue' })
  await db.updateTable('item').set({ colorName: null, orientation: null }).execute()
  await runJob('earlier items')
  expect(await get(dear.page)).toMatchObject({ colorName: 'blue' })
  expect(await names('?orientation=square')).toEqual(['Middle'])
})
