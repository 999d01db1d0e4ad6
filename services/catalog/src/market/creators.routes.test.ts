import { randomUUID } from 'node:crypto'
import { deliveryFinal } from '@nifty/events/minting'
import { orderLineAuthorised } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, orderFor, startTestCatalog, txHash, wallet } from '../testing.ts'

const { app, db, get, getInternal, post, consume, givenAccount, givenItem, moveToken } = await startTestCatalog()

type Account = { userId: string }

/** Sells a work of the artist's, paid with a card, unless `card` is missing. */
async function sell(artist: Account, buyer: Account, card?: string, changes: Parameters<typeof givenItem>[1] = {}) {
  const item = await givenItem(artist.userId, changes)
  const order = orderFor([item], { buyerId: buyer.userId })
  expect((await post('/internal/reservations', order)).status).toBe(200)
  const { itemId, token, name } = item
  const line = {
    orderId: order.orderId,
    lineId: randomUUID(),
    itemId,
    token,
    buyerId: buyer.userId,
    at: changes.at ?? at,
  }
  const sale = {
    ...line,
    name,
    sellerId: artist.userId,
    priceCents: item.priceCents ?? 0,
    wallet: wallet(),
    deliverBy: at,
    card,
  }
  if (card !== undefined) await consume(messageOf(orderLineAuthorised, sale))
  await consume(messageOf(deliveryFinal, { ...line, wallet: wallet(), block: 7, txHash: txHash() }))
}

const buyersOf = async ({ userId }: Account) =>
  (await db.selectFrom('creator').select('buyers').where('userId', '=', userId).executeTakeFirstOrThrow()).buyers

test('creators are ordered by the persons who bought of them, not by sales', async () => {
  const [loved, traded] = [await givenAccount({ admin: true }), await givenAccount({ admin: true })]
  const [one, other] = [await givenAccount(), await givenAccount()]
  for (let times = 0; times < 3; times++) await sell(traded, one, 'card of one')
  for (const buyer of [one, other]) await sell(loved, buyer)
  for (const artist of [loved, traded]) await givenItem(artist.userId)

  const { creators } = await get('/api/creators')
  const shown = creators.filter(({ _id }: any) => [loved.userId, traded.userId].includes(_id))
  expect(shown.map(({ _id, sales }: any) => [_id, sales])).toEqual([
    [loved.userId, 2],
    [traded.userId, 3],
  ])
  const top = (await get('/api/nfts/top-items')).nfts.map(({ creatorUsername }: any) => creatorUsername)
  expect(top).toEqual(expect.arrayContaining([loved.username, traded.username]))
})

test('accounts with one card are one buyer, and those with a card of the seller’s none, whenever it becomes known', async () => {
  const artist = await givenAccount({ admin: true })
  const [friend, twin, stranger] = [await givenAccount(), await givenAccount(), await givenAccount()]
  await sell(artist, friend, 'gold')
  await sell(artist, stranger, 'blue')
  expect(await buyersOf(artist)).toBe(2)
  await sell(artist, twin, 'gold')
  expect(await buyersOf(artist)).toBe(2)
  await sell(artist, twin, 'blue')
  expect(await buyersOf(artist)).toBeLessThan(3)

  const other = await givenAccount({ admin: true })
  await sell(other, artist, 'gold')
  await sell(other, artist, 'blue')
  expect(await buyersOf(artist)).toBe(0)
})

test('creators are the owners of items: a buyer becomes one, and who has sold all works is none', async () => {
  const [artist, buyer] = [await givenAccount({ admin: true }), await givenAccount()]
  const item = await givenItem(artist.userId)
  const listed = async () => {
    const { creators } = await get('/api/creators')
    return creators.filter(({ _id }: any) => [artist.userId, buyer.userId].includes(_id))
  }
  expect(await listed()).toMatchObject([{ _id: artist.userId, works: 1, items: [{ _id: item.itemId }] }])

  await moveToken(item, { ownerId: buyer.userId })
  expect(await listed()).toMatchObject([{ _id: buyer.userId, works: 0, sales: 0, items: [{ _id: item.itemId }] }])

  await post(`/internal/items/${item.itemId}/hide`, { reason: 'report' })
  expect(await listed()).toEqual([])
})

test('creators beyond the first 200 are on further pages, each once and in one order', async () => {
  const made = []
  for (let number = 0; number < 203; number++) {
    const { userId } = await givenAccount({ admin: true })
    await givenItem(userId)
    made.push(userId)
  }

  const pages = [await get('/api/creators'), await get('/api/creators?page=2'), await get('/api/creators?page=3')]

  const total = pages[0].total
  expect(pages.map(({ creators, ...rest }) => ({ ...rest, size: creators.length }))).toEqual([
    { total, page: 1, limit: 200, size: 200 },
    { total, page: 2, limit: 200, size: total - 200 },
    { total, page: 3, limit: 200, size: 0 },
  ])
  const ids = pages.flatMap(({ creators }) => creators.map(({ _id }: any) => _id))
  expect(new Set(ids).size).toBe(total)
  expect(ids).toEqual(expect.arrayContaining(made))
  const inTens = []
  for (let page = 1; page <= Math.ceil(total / 10); page++)
    inTens.push(...(await get(`/api/creators?page=${page}&limit=10`)).creators)
  expect(inTens.map(({ _id }) => _id)).toEqual(ids)
})

test('the total counts creators that are listed: no suspended accounts, none whose works are hidden', async () => {
  const { total } = await get('/api/creators?limit=1')
  const [hidden, suspended] = [
    await givenAccount({ admin: true }),
    await givenAccount({ admin: true, suspended: true }),
  ]
  const item = await givenItem(hidden.userId)
  await givenItem(suspended.userId)
  expect((await get('/api/creators?limit=1')).total).toBe(total + 1)

  await post(`/internal/items/${item.itemId}/hide`, { reason: 'report' })
  expect((await get('/api/creators?limit=1')).total).toBe(total)
})

test.each(['page=0', 'page=-1', 'page=x', 'limit=0', 'limit=1.5'])('creators with %s are refused', async (query) => {
  const response = await app.inject(`/api/creators?${query}`)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toMatchObject({ code: 'invalid_paging', message: 'Invalid paging' })
})

test('figures of a day have favourites, works and turnover by category, price band and artist', async () => {
  const [ada, cleo] = [await givenAccount({ admin: true }), await givenAccount({ admin: true })]
  const on = (day: string) => ({ at: `${day}T12:00:00.000Z` })
  await sell(ada, cleo, undefined, { ...on('2026-02-03'), priceCents: 5_000 })
  await sell(ada, cleo, undefined, { ...on('2026-02-03'), priceCents: 5_001, category: 'Cube' })
  await sell(cleo, ada, undefined, { ...on('2026-02-04'), priceCents: 600_000 })
  const { itemId } = await givenItem(ada.userId)
  const marked = (user: Account, at: string) => ({ userId: user.userId, itemId, createdAt: new Date(at) })
  const marks = [marked(ada, '2026-02-04T23:59:59Z'), marked(cleo, '2026-02-05T00:00:00Z')]
  await db.insertInto('favourite').values(marks).execute()

  const { periods } = await getInternal('/internal/ops/statistics?from=2026-02-02&to=2026-02-04&by=month')

  expect(periods).toEqual([
    {
      from: '2026-02-02',
      to: '2026-02-04',
      minted: 3,
      listed: 0,
      favourites: 1,
      sold: 3,
      turnover: 6_100.01,
      categories: [
        { category: 'Art', sold: 2, turnover: 6_050 },
        { category: 'Cube', sold: 1, turnover: 50.01 },
      ],
      priceBands: [
        { over: 0, upTo: 50, sold: 1, turnover: 50 },
        { over: 50, upTo: 100, sold: 1, turnover: 50.01 },
        { over: 5_000, upTo: null, sold: 1, turnover: 6_000 },
      ],
      artists: [
        { userId: cleo.userId, username: cleo.username, sold: 1, turnover: 6_000 },
        { userId: ada.userId, username: ada.username, sold: 2, turnover: 100.01 },
      ],
    },
  ])
})
