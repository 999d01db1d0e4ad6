import { randomUUID } from 'node:crypto'
import { accountDeleted } from '@nifty/events/auth'
import { orderLineAbandoned, orderLineReleased } from '@nifty/events/payments'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, type Mint, type Order, orderFor, startTestCatalog, wallet } from '../testing.ts'
import { reserveLocked } from './reservation.actions.ts'

const {
  put,
  post,
  getInternal,
  postWithoutSecret,
  get,
  db,
  consume,
  givenAccount,
  givenItem,
  moveToken,
  published,
  peers,
} = await startTestCatalog()
const seller = await givenAccount({ admin: true, wallet: wallet() })
const reserve = (order: unknown) => post('/internal/reservations', order)

const release = ({ orderId, buyerId }: Order, { itemId, token }: Mint) =>
  consume(
    messageOf(orderLineReleased, {
      orderId,
      lineId: randomUUID(),
      itemId,
      token,
      name: 'Dusk',
      buyerId,
      sellerId: seller.userId,
      at,
      priceCents: 12_000,
      reason: 'expired',
      moneyWasHeld: false,
    }),
  )

test('an order reserves all its items and receives its lines; the items are shown as reserved', async () => {
  const [one, two] = [await givenItem(seller.userId), await givenItem(seller.userId, { priceCents: 55 })]
  const order = orderFor([two, one])
  const { status, body } = await reserve(order)
  expect(status).toBe(200)
  expect(body.lines).toMatchObject([
    { itemId: two.itemId, priceCents: 55 },
    {
      itemId: one.itemId,
      contract: one.contract,
      identifier: one.identifier,
      priceCents: 12_000,
      sellerId: seller.userId,
      sellerUsername: seller.username,
      creatorId: seller.userId,
      royaltyBps: 500,
      name: 'Dusk',
      image: one.picture.path,
      category: 'Art',
      listingVersion: 1,
    },
  ])
  expect(await get(one.page)).toMatchObject({ reserved: true, forSale: true, reservedUntil: order.until })
  expect(peers.requests.at(-1)).toMatchObject({ to: order.buyerWallet, tokens: [{}, {}] })
})

test('a work whose creator has deleted the account has no royalty', async () => {
  const creator = await givenAccount()
  const item = await givenItem(creator.userId)
  await moveToken(item, { ownerId: seller.userId })
  await put(seller.userId, `${item.path}/set-price`, { price: 120, forSale: true })
  expect((await get(item.page)).royaltyPercent).toBe(5)

  const { userId, username, email, firstName } = creator
  await consume(messageOf(accountDeleted, { userId, username, email, firstName, at }))
  expect((await get(item.page)).royaltyPercent).toBe(0)
  expect((await reserve(orderFor([item]))).body.lines).toMatchObject([{ creatorId: userId, royaltyBps: 0 }])
})

test('of two concurrent orders the second waits for the first and is then refused', async () => {
  const item = await givenItem(seller.userId)
  const [ben, cleo] = [orderFor([item]), orderFor([item])]

  const first = await db.startTransaction().execute()
  await reserveLocked(first, ben as never)
  const second = reserve(cleo)
  await waitForBlockedQuery(db)
  await first.commit().execute()

  expect(await second).toMatchObject({
    status: 409,
    body: { code: 'item_reserved', details: { reservedUntil: ben.until } },
  })
  expect((await reserve(ben)).body.lines).toMatchObject([{ itemId: item.itemId }])
})

test('orders for the same items in opposite order do not deadlock', async () => {
  const [one, two] = [await givenItem(seller.userId), await givenItem(seller.userId)]
  const [low, high] = one.itemId < two.itemId ? [one, two] : [two, one]
  const holder = await db.startTransaction().execute()
  await holder.selectFrom('item').select('id').where('id', '=', low.itemId).forUpdate().execute()
  const buyer = reserve(orderFor([high, low]))
  await waitForBlockedQuery(db)
  await holder.selectFrom('item').select('id').where('id', '=', high.itemId).forUpdate().execute()
  await holder.commit().execute()
  expect((await buyer).status).toBe(200)
})

test('a repeated request gets the same response, although the price has changed', async () => {
  const item = await givenItem(seller.userId)
  const order = orderFor([item])
  const response = await reserve(order)
  await put(seller.userId, `${item.path}/set-price`, { price: 99, forSale: true })
  expect(await reserve(order)).toEqual(response)
})

test('an order cannot reserve other items or for another buyer', async () => {
  const [one, two] = [await givenItem(seller.userId), await givenItem(seller.userId)]
  const order = orderFor([one])
  await reserve(order)
  expect(await reserve({ ...order, items: orderFor([two]).items })).toMatchObject({ status: 409 })
  expect(await reserve({ ...order, buyerId: randomUUID() })).toMatchObject({ body: { code: 'order_differs' } })
})

test('an order with one unavailable item reserves none', async () => {
  const [one, two] = [await givenItem(seller.userId), await givenItem(seller.userId)]
  await reserve(orderFor([two]))
  expect((await reserve(orderFor([one, two]))).body.message).toBe('Somebody else is buying this item right now')
  expect((await reserve(orderFor([one]))).status).toBe(200)
})

test('every refusal has a status, a code and a message', async () => {
  const item = await givenItem(seller.userId)
  const unlisted = await givenItem(seller.userId, { priceCents: null })
  const ownerWallet = wallet()
  const inWallet = await givenItem(seller.userId, {}, { inWallet: ownerWallet })
  await put(seller.userId, `${inWallet.path}/set-price`, { price: 120, forSale: true })
  const own = { message: 'You cannot buy your own item' }
  const cases: [Order, number, object][] = [
    [orderFor([{ itemId: randomUUID(), priceCents: 1 }]), 404, { message: 'NFT not found' }],
    [orderFor([unlisted]), 400, {}],
    [orderFor([{ ...unlisted, priceCents: 100 }]), 409, { message: 'This item is not for sale' }],
    [orderFor([{ ...item, priceCents: 1 }]), 409, { message: 'The price has changed, please reload' }],
    [orderFor([item], { buyerId: seller.userId }), 403, own],
    [orderFor([item], { buyerWallet: seller.wallet! }), 403, own],
    [orderFor([inWallet], { buyerWallet: ownerWallet.toUpperCase().replace('0X', '0x') }), 403, own],
    [orderFor([item, item]), 400, { code: 'duplicate_items' }],
    [orderFor([item], { until: 'soon' }), 400, { code: 'invalid_until' }],
    [orderFor([]), 400, {}],
  ]
  for (const [order, status, body] of cases) expect(await reserve(order)).toMatchObject({ status, body })
  expect((await get(item.page)).reserved).toBe(false)
})

test('a purchase into custody names no wallet, also of an item that is in custody', async () => {
  const item = await givenItem(seller.userId)
  expect((await reserve(orderFor([item], { buyerId: seller.userId, buyerWallet: null }))).status).toBe(403)
  expect((await reserve(orderFor([item], { buyerWallet: null }))).status).toBe(200)
  expect(peers.requests.at(-1)).toMatchObject({ to: null })
})

test('a released order frees its item once and can never reserve again', async () => {
  const item = await givenItem(seller.userId)
  const order = orderFor([item])
  await reserve(order)
  await release(order, item)
  expect(await get(item.page)).toMatchObject({ forSale: true, reserved: false, reservedUntil: null })
  expect(await reserve(order)).toMatchObject({ status: 409, body: { code: 'order_over' } })

  const next = orderFor([item])
  await reserve(next)
  await release(order, item)
  expect((await get(item.page)).reserved).toBe(true)
})

test('a release that is consumed before the request leaves a tombstone that refuses it', async () => {
  const item = await givenItem(seller.userId)
  const order = orderFor([item])
  await release(order, item)
  expect((await reserve(order)).body.code).toBe('order_over')
  expect((await get(item.page)).reserved).toBe(false)
})

test('an abandoned order reserves nothing, whether the event or the request comes first', async () => {
  const item = await givenItem(seller.userId)
  const abandon = (orderId: string) =>
    consume(messageOf(orderLineAbandoned, { orderId, lineId: randomUUID(), itemId: item.itemId, at }))
  const [reserved, late] = [orderFor([item]), orderFor([item])]
  await reserve(reserved)
  await abandon(reserved.orderId)
  expect(await get(item.page)).toMatchObject({ reserved: false, forSale: true })
  await abandon(late.orderId)
  expect(await reserve(late)).toMatchObject({ status: 409, body: { code: 'order_over' } })
})

test('a delist request is applied when the order is released', async () => {
  const item = await givenItem(seller.userId)
  const order = orderFor([item])
  await reserve(order)
  await put(seller.userId, `${item.path}/remove-from-sale`)
  await release(order, item)
  expect(await get(item.page)).toMatchObject({ forSale: false, reserved: false, delistRequested: false })
  expect((await published(item.itemId)).at(-1)).toMatchObject({ name: 'catalog.item-delisted.v1', reason: 'owner' })
})

test('a reservation does not expire by time', async () => {
  const item = await givenItem(seller.userId)
  await reserve(orderFor([item], { until: '2001-01-01T00:00:00.000Z' }))
  expect((await reserve(orderFor([item]))).status).toBe(409)
})

test('a hidden work is a 404 for a buyer, and the works of a suspended seller are not for sale', async () => {
  const hidden = await givenItem(seller.userId, { priceCents: null })
  await db
    .updateTable('item')
    .set({ hiddenAt: new Date(), hiddenBy: 'owner' })
    .where('id', '=', hidden.itemId)
    .execute()
  expect(await reserve(orderFor([{ ...hidden, priceCents: 100 }]))).toMatchObject({ status: 404 })

  const artist = await givenAccount({ admin: true, wallet: wallet() })
  const item = await givenItem(artist.userId)
  await db.updateTable('account').set({ suspended: true }).where('userId', '=', artist.userId).execute()
  expect(await reserve(orderFor([item]))).toMatchObject({ status: 409, body: { code: 'not_for_sale' } })
})

test('reservations that are older than their time are listed for payments, and found by item', async () => {
  const [old, young] = [await givenItem(seller.userId), await givenItem(seller.userId)]
  const until = '2001-01-01T00:00:00.000Z'
  const order = orderFor([old], { until })
  await reserve(order)
  await reserve(orderFor([young], { until: new Date(Date.now() + 3_600_000).toISOString() }))
  const held = { itemId: old.itemId, orderId: order.orderId, until }

  const overdue = await getInternal('/internal/reservations/overdue')
  expect(overdue.reservations).toContainEqual(held)
  expect(overdue.reservations.map(({ itemId }: { itemId: string }) => itemId)).not.toContain(young.itemId)
  const found = await post('/internal/reservations/search', { itemIds: [old.itemId, randomUUID()] })
  expect(found.body).toEqual({ reservations: [held] })
  const after = overdue.reservations.at(-1)!.itemId
  expect(await getInternal(`/internal/reservations/overdue?after=${after}`)).toEqual({ reservations: [], next: null })
})

test('while an item stays locked a reservation is a 503 and reserves nothing', async () => {
  const item = await givenItem(seller.userId)
  const holder = await db.startTransaction().execute()
  await holder.selectFrom('item').select('id').where('id', '=', item.itemId).forUpdate().execute()
  expect(await reserve(orderFor([item]))).toMatchObject({ status: 503, body: { code: 'busy' } })
  await holder.rollback().execute()
  expect((await get(item.page)).reserved).toBe(false)
})

test('a request without the internal secret is a 403', async () => {
  const response = await postWithoutSecret('/internal/reservations')
  expect(response.status).toBe(403)
})
