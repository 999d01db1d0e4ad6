import { randomUUID } from 'node:crypto'
import { hideItem } from '@nifty/api/catalog/ops'
import { endpointUrl } from '@nifty/api/endpoint'
import { itemNews } from '@nifty/events/catalog'
import { deliveryFinal } from '@nifty/events/minting'
import { orderLineReleased } from '@nifty/events/payments'
import { MAX_NEWS_ACCOUNTS } from '@nifty/events/shapes'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findItem } from '../items/item.store.ts'
import { setPrice as changePrice } from '../items/listing.actions.ts'
import { at, orderFor, startTestCatalog, txHash } from '../testing.ts'

const { app, db, peers, consume, givenAccount, givenItem, post, put } = await startTestCatalog()

const seller = await givenAccount({ admin: true })

async function mark(userId: string, itemId: string) {
  const url = `/api/favourites/${itemId}`
  expect((await app.inject({ method: 'PUT', url, headers: peers.bearer(userId) })).statusCode).toBe(200)
}
const follow = (userId: string, artistId: string) =>
  app.inject({ method: 'PUT', url: `/api/follows/${artistId}`, headers: peers.bearer(userId) })
/** What was published about an item, once nothing is left to publish. */
async function newsOf(itemId: string) {
  await expect.poll(() => db.selectFrom('itemNews').select('id').execute()).toEqual([])
  const events = db.selectFrom('outbox').select('data').where('name', '=', itemNews.name).where('key', '=', itemId)
  return (await events.orderBy('seq').execute()).map(({ data }) => data as any)
}
const setPrice = async (item: { path: string }, price: number) =>
  expect((await put(seller.userId, `${item.path}/set-price`, { price, forSale: true })).statusCode).toBe(200)

async function givenFavourite() {
  const [item, fan] = [await givenItem(seller.userId), await givenAccount()]
  await mark(fan.userId, item.itemId)
  return { item, fan }
}

/** What payments publishes about the line of an order. */
const lineOf = (order: ReturnType<typeof orderFor>, item: { itemId: string; token: string }) => ({
  orderId: order.orderId,
  lineId: randomUUID(),
  itemId: item.itemId,
  token: item.token,
  name: 'Dusk',
  buyerId: order.buyerId,
  sellerId: seller.userId,
  priceCents: 12_000,
  at,
})

test('a lower price is news for the accounts that marked the work; a higher or an equal one is none', async () => {
  const { item, fan } = await givenFavourite()
  await mark(seller.userId, item.itemId)
  for (const price of [150, 150, 90]) await setPrice(item, price)

  expect(await newsOf(item.itemId)).toMatchObject([
    { what: 'cheaper', priceCents: 9_000, userIds: [fan.userId], contract: item.contract, identifier: item.identifier },
  ])
})

test('a price counts as lower only below all of the last 30 days', async () => {
  const { item } = await givenFavourite()
  for (const price of [9_999, 120, 100, 9_999, 100]) await setPrice(item, price)
  expect(await newsOf(item.itemId)).toMatchObject([{ what: 'cheaper', priceCents: 10_000 }])

  await setPrice(item, 9_999)
  await sql`update daily_price set day = day - 31 where item_id = ${item.itemId}`.execute(db)
  await setPrice(item, 110)
  expect(await newsOf(item.itemId)).toHaveLength(2)
})

test('a price at which a long listing ended counts for 30 days more', async () => {
  const { item } = await givenFavourite()
  await sql`update daily_price set day = day - 40 where item_id = ${item.itemId}`.execute(db)
  await put(seller.userId, `${item.path}/remove-from-sale`)
  await setPrice(item, 240)
  await setPrice(item, 130)
  expect((await newsOf(item.itemId)).map(({ what }) => what)).toEqual(['available'])

  await setPrice(item, 119)
  expect((await newsOf(item.itemId)).at(-1)).toMatchObject({ what: 'cheaper', priceCents: 11_900 })
})

/** Two prices before the worker publishes the first. */
const setPrices = async (itemId: string, prices: number[]) => {
  const checked = (await findItem(db, itemId))!
  await db.transaction().execute(async (trx) => {
    for (const priceCents of prices)
      await changePrice(trx, { itemId, userId: seller.userId, priceCents, steppedUp: true }, checked)
  })
}

test('a lower price that was raised again before it is published is no news, unless it is still below the former one', async () => {
  const [raised, halved] = [await givenFavourite(), await givenFavourite()]
  await setPrices(raised.item.itemId, [9_000, 12_000])
  await setPrices(halved.item.itemId, [6_000, 9_000])

  expect(await newsOf(raised.item.itemId)).toEqual([])
  expect(await newsOf(halved.item.itemId)).toMatchObject([{ what: 'cheaper', priceCents: 9_000 }])
})

test('a work that is reserved before it is published as available is no news until it is free again', async () => {
  const { item } = await givenFavourite()
  const order = orderFor([item])
  expect((await post('/internal/reservations', order)).status).toBe(200)
  await db.insertInto('itemNews').values({ itemId: item.itemId, what: 'available', exceptIds: [], at }).execute()
  expect(await newsOf(item.itemId)).toEqual([])

  await consume(messageOf(orderLineReleased, { ...lineOf(order, item), reason: 'expired', moneyWasHeld: false }))
  expect(await newsOf(item.itemId)).toMatchObject([{ what: 'available' }])
})

test('a work that nobody marked, and an artist without followers, cause no event', async () => {
  const item = await givenItem(seller.userId)
  await setPrice(item, 50)
  expect(await newsOf(item.itemId)).toEqual([])
})

test('a delisted work that is listed again is available', async () => {
  const { item, fan } = await givenFavourite()
  await put(seller.userId, `${item.path}/remove-from-sale`, {})
  expect(await newsOf(item.itemId)).toEqual([])
  await setPrice(item, 200)
  expect(await newsOf(item.itemId)).toMatchObject([{ what: 'available', priceCents: 20_000, userIds: [fan.userId] }])
})

test('a work whose purchase was given up is free again for all but the buyer; a change of its price meanwhile is no news', async () => {
  const { item, fan } = await givenFavourite()
  const buyer = await givenAccount()
  await mark(buyer.userId, item.itemId)
  const order = orderFor([item], { buyerId: buyer.userId })
  expect((await post('/internal/reservations', order)).status).toBe(200)
  await setPrice(item, 100)
  expect(await newsOf(item.itemId)).toEqual([])

  const released = { ...lineOf(order, item), reason: 'expired' as const, moneyWasHeld: false }
  const message = messageOf(orderLineReleased, released)
  for (let times = 0; times < 2; times++) await consume(message)

  expect(await newsOf(item.itemId)).toMatchObject([{ what: 'available', priceCents: 10_000, userIds: [fan.userId] }])
})

test('a sold work is news for all but buyer and seller', async () => {
  const { item, fan } = await givenFavourite()
  const buyer = await givenAccount()
  for (const { userId } of [buyer, seller]) await mark(userId, item.itemId)
  const order = orderFor([item], { buyerId: buyer.userId })
  await post('/internal/reservations', order)
  const { lineId, orderId, itemId, token } = lineOf(order, item)
  const delivery = { wallet: order.buyerWallet!, block: 7, txHash: txHash(), at }
  await consume(messageOf(deliveryFinal, { lineId, orderId, itemId, token, buyerId: buyer.userId, ...delivery }))

  expect(await newsOf(itemId)).toMatchObject([{ what: 'sold', priceCents: null, userIds: [fan.userId] }])
})

test('a followed artist who lists a work is news, with the name; a new price is none, nor is listing it again', async () => {
  const [artist, fan] = [
    await givenAccount({ admin: true, firstName: 'Grace', lastName: 'Hopper' }),
    await givenAccount(),
  ]
  await follow(fan.userId, artist.userId)
  const item = await givenItem(artist.userId)
  expect(await newsOf(item.itemId)).toMatchObject([
    {
      what: 'listed',
      artist: 'Grace Hopper',
      artistId: artist.userId,
      name: item.name,
      priceCents: 12_000,
      userIds: [fan.userId],
    },
  ])

  await put(artist.userId, `${item.path}/set-price`, { price: 80, forSale: true })
  await put(artist.userId, `${item.path}/remove-from-sale`)
  await put(artist.userId, `${item.path}/set-price`, { price: 90, forSale: true })
  expect(await newsOf(item.itemId)).toHaveLength(1)
})

test('news about a work that was hidden meanwhile is dropped', async () => {
  const { item } = await givenFavourite()
  await post(endpointUrl(hideItem, { params: { id: item.itemId } }), { reason: 'test' })
  await db.insertInto('itemNews').values({ itemId: item.itemId, what: 'sold', exceptIds: [], at }).execute()
  expect(await newsOf(item.itemId)).toEqual([])
})

test('more accounts than fit into one event are told in several, each account once', async () => {
  const item = await givenItem(seller.userId)
  const count = 2 * MAX_NEWS_ACCOUNTS + 1
  const values = Array.from({ length: count }, () => ({ userId: randomUUID(), itemId: item.itemId }))
  await db.insertInto('favourite').values(values).execute()
  await setPrice(item, 60)

  const news = await newsOf(item.itemId)
  expect(news.map(({ userIds }) => userIds.length)).toEqual([MAX_NEWS_ACCOUNTS, MAX_NEWS_ACCOUNTS, 1])
  expect(new Set(news.flatMap(({ userIds }) => userIds)).size).toBe(count)
})
