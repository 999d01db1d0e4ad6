import { expect, test } from 'vitest'
import { startTestCatalog, wallet } from '../testing.ts'
import { startTestBidding } from './testing.ts'

const catalog = await startTestBidding()
const { setMinimum, givenItem, givenOffer, givenAccount, get, market, stateOf, peers, published, seller, db } = catalog
const { app, put, putWithoutStepUp } = catalog

test('an owner takes offers from a price on, with and without a listing, and none', async () => {
  const item = await givenItem(seller.userId, { priceCents: null })
  expect(await get(item.page)).toMatchObject({ offers: null })
  const { status, body } = await setMinimum(item, 0.5)
  expect([status, body.nft.offers]).toEqual([200, { minimum: 0.5, count: 0, highest: null }])
  expect((await setMinimum(item, 50.55)).body.nft).toMatchObject({ offers: { minimum: 50.55 }, forSale: false })
  const bid = await givenOffer(item)
  expect((await market('?search=dusk')).nfts[0]).toMatchObject({ offers: { minimum: 50.55 } })

  expect((await setMinimum(item, null)).body.nft.offers).toBeNull()

  expect(await stateOf(bid)).toBe('open')
  expect((await catalog.accept(bid)).status).toBe(200)
})

test.each([[0.49], [1_000_000], [1.005], ['5'], [undefined], [{}], [true]])(
  'a minimum of %j is a 400',
  async (wrong) => {
    const item = await givenItem(seller.userId)
    const { status, body } = await setMinimum(item, wrong)
    expect([status, body.code ?? body]).toEqual([400, wrong === undefined ? expect.anything() : 'invalid_amount'])
    expect(await get(item.page)).toMatchObject({ offers: null })
  },
)

test('only the owner, who may sell, sets it, and for a visible work', async () => {
  const item = await givenItem(seller.userId, { priceCents: null })
  const [other, collector] = [await givenAccount({ admin: true }), await givenAccount()]
  expect((await setMinimum(item, 5, other.userId)).body.code).toBe('not_the_owner')
  expect((await setMinimum(item, 5, collector.userId)).status).toBe(403)
  expect((await app.inject({ method: 'PUT', url: `${item.path}/offers`, payload: { minimum: 5 } })).statusCode).toBe(
    401,
  )
  expect((await setMinimum({ path: item.path.replace(/[^/]+$/, '99999999') }, 5)).status).toBe(404)
  await put(seller.userId, `${item.path}/hide`)
  expect((await setMinimum(item, 5)).body.code).toBe('item_hidden')
})

test('a minimum below half of the usual price needs a step-up, once, and is mailed', async () => {
  const item = await givenItem(seller.userId)
  const set = async (minimum: number) =>
    (await putWithoutStepUp(seller.userId, `${item.path}/offers`, { minimum })).statusCode
  expect([await set(60), await set(59.99)]).toEqual([200, 403])
  expect(await get(item.page)).toMatchObject({ offers: { minimum: 60 } })
  expect((await setMinimum(item, 59.99)).status).toBe(200)
  expect((await published(item.itemId)).at(-1)).toMatchObject({
    name: 'catalog.unusual-price-listed.v1',
    userId: seller.userId,
    priceCents: 5_999,
    formerCents: 12_000,
  })
})

test.each(['gift_waits', 'work_contested', 'not_owner'])(
  'a work that minting refuses as %s takes none',
  async (code) => {
    const item = await givenItem(seller.userId, { priceCents: null })
    peers.refusals.set(item.token, { code })
    expect(await setMinimum(item, 50)).toMatchObject({ status: 409, body: { code } })
    expect((await setMinimum(item, null)).status).toBe(200)
  },
)

test('a work in a wallet takes offers before its permit is signed', async () => {
  const item = await givenItem(seller.userId, { priceCents: null }, { inWallet: wallet() })
  peers.refusals.set(item.token, { code: 'permit_required', permit: {} })
  expect((await setMinimum(item, 50)).status).toBe(200)
})

test('the market shows works that take offers, with its other filters', async () => {
  const { app, market, givenAccount, givenItem, put } = await startTestCatalog()
  const artist = await givenAccount({ admin: true })
  const set = (path: string, minimum: number | null) => put(artist.userId, `${path}/offers`, { minimum })
  const listed = await givenItem(artist.userId, { name: 'Listed moon' })
  const unlisted = await givenItem(artist.userId, { name: 'Unlisted moon', priceCents: null, category: 'Moto' })
  const none = await givenItem(artist.userId, { name: 'No moon' })
  for (const { path } of [listed, unlisted, none]) await set(path, 100)
  await set(none.path, null)
  const found = async (query: string) => (await market(query)).nfts.map(({ name }) => name).sort()

  expect(await found('?sale=offers')).toEqual(['Listed moon', 'Unlisted moon'])
  expect(await found('?sale=offers&buyOption=now')).toEqual(['Listed moon'])
  expect(await found('?sale=offers&category=Moto')).toEqual(['Unlisted moon'])
  expect(await found('?sale=offers&search=unlisted')).toEqual(['Unlisted moon'])
  expect(await found('?sale=offers&sort=price_asc&minPrice=100')).toEqual(['Listed moon'])
  expect(await found('?sale=')).toHaveLength(3)
  const wrong = await app.inject('/api/nfts/market?sale=auction')
  expect([wrong.statusCode, wrong.json()]).toMatchObject([400, { code: 'invalid_filter', errors: [{ path: 'sale' }] }])
  await put(artist.userId, `${unlisted.path}/hide`)
  expect(await found('?sale=offers')).toEqual(['Listed moon'])
})

test('the generation moves with the minimum, the number of offers and the highest one', async () => {
  const read = async () =>
    (
      await db
        .selectFrom('marketGeneration')
        .select(({ fn }) => fn.sum<number>('changes').as('sum'))
        .executeTakeFirstOrThrow()
    ).sum
  const item = await givenItem(seller.userId, { priceCents: null })
  const moves = async (change: () => Promise<unknown>) => {
    const before = await read()
    await change()
    return Number(await read()) - Number(before)
  }
  expect(await moves(() => setMinimum(item, 50))).toBe(1)
  expect(await moves(() => setMinimum(item, 50))).toBe(0)
  const bid = catalog.bidOn(item)
  expect(await moves(() => catalog.begin(bid))).toBe(0)
  expect(await moves(() => catalog.place(bid))).toBe(1)
  expect(await moves(() => catalog.place(bid))).toBe(0)
  expect(await moves(() => catalog.withdraw(bid))).toBe(1)
  const unpaid = catalog.bidOn(item)
  await catalog.begin(unpaid)
  expect(await moves(() => catalog.withdraw(unpaid))).toBe(0)
})
