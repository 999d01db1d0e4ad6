import { randomUUID } from 'node:crypto'
import { hideItem, showItem } from '@nifty/api/catalog/ops'
import { endpointUrl } from '@nifty/api/endpoint'
import { accountChanged } from '@nifty/events/auth'
import { deliveryFinal } from '@nifty/events/minting'
import { orderLineCleared, orderLineContested, orderLineReleased } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { readGeneration } from '../cache/generation.ts'
import { at, orderFor, startTestCatalog, txHash, wallet } from '../testing.ts'

const { db, put, putWithoutStepUp, post, get, market, consume, givenAccount, givenItem, moveToken, published } =
  await startTestCatalog()
const seller = await givenAccount({ admin: true })
const stepUpRequired = { statusCode: 403, code: 'step_up_required' }

type Item = Awaited<ReturnType<typeof givenItem>>
type AccountData = Awaited<ReturnType<typeof givenAccount>>

const setPrice = (item: Item, price: number, by = seller) =>
  put(by.userId, `${item.path}/set-price`, { price, forSale: true })
async function setPriceByToken(item: Item, price: number, by = seller) {
  const response = await putWithoutStepUp(by.userId, `${item.path}/set-price`, { price, forSale: true })
  return { statusCode: response.statusCode, code: response.json().code }
}
const removeFromSale = (item: Item) => put(seller.userId, `${item.path}/remove-from-sale`)
const history = async (item: Item): Promise<{ what: string; price: number | null; at: string }[]> =>
  (await get(item.page)).history
const entries = async (item: Item) => (await history(item)).map(({ what }) => what)
const firstOfMarket = async () => (await market('?buyOption=now&limit=1')).nfts[0]._id
const alarms = async (item: Item) =>
  (await published(item.itemId)).filter(({ name }) => name === 'catalog.unusual-price-listed.v1')

/** As if everything that happened to a work had happened so many days before. */
async function backdate({ itemId }: Item, days: number) {
  const before = sql`make_interval(days => ${days})`
  await sql`update item set listed_at = listed_at - ${before}, delisted_at = delisted_at - ${before},
    sold_at = sold_at - ${before}, shown_at = shown_at - ${before} where id = ${itemId}`.execute(db)
  await sql`update item_history set happened_at = happened_at - ${before} where item_id = ${itemId}`.execute(db)
  await sql`update daily_price set day = day - ${days}::int where item_id = ${itemId}`.execute(db)
}

/** Sells a work to an account, into custody. */
async function sell(item: Item, buyer: { userId: string }) {
  const { priceCents } = await db
    .selectFrom('item')
    .select('priceCents')
    .where('id', '=', item.itemId)
    .executeTakeFirstOrThrow()
  const order = orderFor([{ itemId: item.itemId, priceCents }], { buyerId: buyer.userId, buyerWallet: null })
  expect((await post('/internal/reservations', order)).status).toBe(200)
  const hash = txHash()
  await moveToken(item, { ownerId: buyer.userId, wallet: null, position: 200, txHash: hash })
  const { itemId, token } = item
  const ids = { lineId: order.orderId, orderId: order.orderId, itemId, token, buyerId: buyer.userId }
  await consume(messageOf(deliveryFinal, { ...ids, wallet: item.contract, block: 7, txHash: hash, at }))
}

test('the price that a listed work has changes nothing: no event, no entry, no place, no new generation', async () => {
  const item = await givenItem(seller.userId)
  const before = await get(item.page)
  const generation = await readGeneration(db)

  for (let times = 0; times < 3; times++) expect((await setPrice(item, 120)).statusCode).toBe(200)

  expect(await get(item.page)).toEqual(before)
  expect(await readGeneration(db)).toBe(generation)
  expect(await published(item.itemId)).toHaveLength(1)
})

test('a change of price keeps the place and the one entry of the listing, which has the time of the price', async () => {
  const item = await givenItem(seller.userId)
  const newer = await givenItem(seller.userId)
  const listed = (await history(item)).find(({ what }) => what === 'listed')!

  for (let price = 121; price < 175; price++) await setPrice(item, price)
  const from = Date.now()
  await setPrice(item, 175)

  expect(await firstOfMarket()).toBe(newer.itemId)
  expect((await entries(item)).sort()).toEqual(['listed', 'minted'])
  const changed = (await history(item)).find(({ what }) => what === 'listed')!
  expect(changed).toEqual({ ...listed, price: 175, at: changed.at })
  expect(Date.parse(changed.at)).toBeGreaterThanOrEqual(from)
})

test('delisting and listing again within 30 days keeps the place and the entry; after 30 days the listing is new', async () => {
  const item = await givenItem(seller.userId)
  const newer = await givenItem(seller.userId)
  await removeFromSale(item)
  await setPrice(item, 110)
  expect(await firstOfMarket()).toBe(newer.itemId)
  expect((await entries(item)).sort()).toEqual(['listed', 'minted'])

  await removeFromSale(item)
  await backdate(item, 30)
  await setPrice(item, 110)
  expect(await firstOfMarket()).toBe(item.itemId)
  expect((await entries(item)).sort()).toEqual(['listed', 'listed', 'minted'])
})

test('a listing after a sale is new', async () => {
  const buyer = await givenAccount({ admin: true })
  const item = await givenItem(seller.userId)
  await sell(item, buyer)
  const newer = await givenItem(seller.userId)
  expect(await firstOfMarket()).toBe(newer.itemId)

  await setPrice(item, 130, buyer)
  expect(await firstOfMarket()).toBe(item.itemId)
  expect((await entries(item)).sort()).toEqual(['listed', 'listed', 'minted', 'sold'])
})

test('a work that was given away without a sale has no price, and the sale stays in its history', async () => {
  const [giver, recipient] = [await givenAccount(), await givenAccount()]
  const item = await givenItem(seller.userId)
  await sell(item, giver)
  expect(await get(item.page)).toMatchObject({ price: 120, forSale: false })
  await moveToken(item, { ownerId: recipient.userId, wallet: null, position: 300, txHash: txHash() })
  expect(await get(item.page)).toMatchObject({ price: null, forSale: false })
  expect((await history(item)).find(({ what }) => what === 'sold')).toMatchObject({ price: 120 })
})

test('mint, moves and sales stay in the history whatever number of listings there is', async () => {
  const buyer = await givenAccount({ admin: true })
  const item = await givenItem(seller.userId)
  await sell(item, buyer)
  await moveToken(item, { ownerId: seller.userId, position: 300 })
  await sql`insert into item_history (item_id, what, happened_at, price_cents)
    select ${item.itemId}, 'listed', now(), n from generate_series(1, 60) n`.execute(db)

  const shown = await entries(item)

  expect(shown).toHaveLength(50)
  expect(shown.filter((what) => what !== 'listed').sort()).toEqual(['minted', 'moved', 'sold'])
})

test('a bearer token alone asks no price below half of the last one; with a step-up it is listed, and the owner is warned', async () => {
  const item = await givenItem(seller.userId)
  expect(await setPriceByToken(item, 59.99)).toEqual(stepUpRequired)
  expect((await get(item.page)).price).toBe(120)
  expect(await alarms(item)).toEqual([])

  expect(await setPriceByToken(item, 60)).toMatchObject({ statusCode: 200 })
  expect(await setPriceByToken(item, 31)).toEqual(stepUpRequired)
  expect(await alarms(item)).toEqual([])

  expect((await setPrice(item, 0.5)).statusCode).toBe(200)
  expect(await alarms(item)).toMatchObject([{ userId: seller.userId, priceCents: 50, formerCents: 12_000 }])
  expect(await setPriceByToken(item, 0.6)).toMatchObject({ statusCode: 200 })
  expect(await alarms(item)).toHaveLength(1)
})

test('a delisted work is measured by its last price, however long ago, one in the buyer’s hands by what was paid', async () => {
  const buyer = await givenAccount({ admin: true })
  const [delisted, sold] = [await givenItem(seller.userId), await givenItem(seller.userId)]
  await removeFromSale(delisted)
  await sell(sold, buyer)
  for (const days of [80, 20, 400]) {
    expect(await setPriceByToken(delisted, 1)).toEqual(stepUpRequired)
    await backdate(delisted, days)
  }
  expect(await setPriceByToken(delisted, 59.99)).toEqual(stepUpRequired)
  expect(await setPriceByToken(delisted, 60)).toMatchObject({ statusCode: 200 })
  // Of 90 days the highest counts, not the last one.
  expect(await setPriceByToken(delisted, 31)).toMatchObject({ statusCode: 200 })
  expect(await setPriceByToken(delisted, 29)).toEqual(stepUpRequired)
  expect(await setPriceByToken(sold, 59, buyer)).toEqual(stepUpRequired)
  expect(await setPriceByToken(sold, 60, buyer)).toMatchObject({ statusCode: 200 })
})

test('a frozen seller’s sales are to end also when they are paid', async () => {
  const owner = await givenAccount({ admin: true })
  const [open, delisting] = [await givenItem(owner.userId), await givenItem(owner.userId)]
  const order = orderFor([open, delisting])
  await post('/internal/reservations', order)
  await put(owner.userId, `${delisting.path}/remove-from-sale`)

  await consume(messageOf(accountChanged, { ...owner, version: 2, suspended: true }))

  const stops = [...(await published(open.itemId)), ...(await published(delisting.itemId))].filter(
    (event) => 'suspended' in event,
  )
  const stop = { name: 'catalog.delist-requested.v1', orderId: order.orderId, suspended: true }
  expect(stops).toMatchObject([stop, stop])
})

/** Ends the listing of a work of `owner`; returns the account that may list it then. */
const endings: Record<string, (item: Item, owner: AccountData) => Promise<AccountData>> = {
  'its owner removes it from sale': async (item, owner) => {
    await put(owner.userId, `${item.path}/remove-from-sale`)
    return owner
  },
  'its owner’s account is frozen, and reinstated': async (_item, owner) => {
    await consume(messageOf(accountChanged, { ...owner, version: 2, suspended: true }))
    const reinstated = { ...owner, version: 3 }
    await consume(messageOf(accountChanged, reinstated))
    return reinstated
  },
  'a bank contests its payment, and clears it': async (item, owner) => {
    const { itemId, token, name } = item
    const ids = { orderId: randomUUID(), lineId: randomUUID(), itemId, token, name }
    const line = { ...ids, buyerId: owner.userId, sellerId: seller.userId, priceCents: 12_000 }
    await consume(messageOf(orderLineContested, { ...line, at: '2026-03-01T12:00:01.000Z' }))
    await consume(messageOf(orderLineCleared, { ...line, at: '2026-03-01T12:00:02.000Z' }))
    return owner
  },
  'an operator hides it, and shows it': async (item, owner) => {
    for (const endpoint of [hideItem, showItem])
      await post(endpointUrl(endpoint, { params: { id: item.itemId } }), { reason: 'a report' })
    return owner
  },
  'it moves to a wallet of its owner': async (item, owner) => {
    await moveToken(item, { ownerId: owner.userId, wallet: wallet(), position: 200 })
    return owner
  },
  'its unpaid order is released after a delist request': async (item, owner) => {
    const order = orderFor([item])
    await post('/internal/reservations', order)
    await put(owner.userId, `${item.path}/remove-from-sale`)
    const { itemId, token, name } = item
    const ids = { orderId: order.orderId, lineId: randomUUID(), itemId, token, name }
    const line = { ...ids, buyerId: order.buyerId, sellerId: owner.userId, priceCents: 12_000, at }
    await consume(messageOf(orderLineReleased, { ...line, reason: 'expired', moneyWasHeld: false }))
    return owner
  },
  'it is sold': async (item) => {
    const buyer = await givenAccount({ admin: true })
    await sell(item, buyer)
    return buyer
  },
}

test.each(Object.entries(endings))(
  'the price of a listing of over 90 days is the usual one when %s',
  async (_, end) => {
    const owner = await givenAccount({ admin: true })
    const item = await givenItem(owner.userId)
    await backdate(item, 100)

    const next = await end(item, owner)

    expect((await get(item.page)).forSale).toBe(false)
    expect(await setPriceByToken(item, 0.5, next)).toEqual(stepUpRequired)
    expect(await setPriceByToken(item, 60, next)).toMatchObject({ statusCode: 200 })
  },
)
