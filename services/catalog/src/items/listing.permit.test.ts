import { randomUUID } from 'node:crypto'
import { accountChanged, passwordReset } from '@nifty/events/auth'
import { orderLineReleased } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, orderFor, startTestCatalog, wallet } from '../testing.ts'

const { put, post, get, consume, givenAccount, givenItem, published, peers } = await startTestCatalog()
const seller = await givenAccount({ admin: true })

test('a work in a wallet that its owner delisted needs a newer permit; a new price needs none', async () => {
  const item = await givenItem(seller.userId, {}, { inWallet: wallet() })
  const list = (price: number) => put(seller.userId, `${item.path}/set-price`, { price, forSale: true })
  const asked = () => peers.requests.findLast(({ tokens }) => tokens[0]!.token === item.token)!.tokens[0]!
  await list(5)
  await list(6)
  expect(asked().permittedSince).toBeUndefined()

  await put(seller.userId, `${item.path}/remove-from-sale`)
  const delisted = (await published(item.itemId)).at(-1)
  await list(7)
  expect(delisted).toMatchObject({ name: 'catalog.item-delisted.v1', reason: 'owner', at: asked().permittedSince })
  await list(8)
  expect(asked().permittedSince).toBeUndefined()
})

test('a new price of a listed work is no delisting, and no new listing', async () => {
  const item = await givenItem(seller.userId)
  const response = await put(seller.userId, `${item.path}/set-price`, { price: 90, forSale: true })
  expect(response.json().nft).toMatchObject({ price: 90, forSale: true })
  expect((await published(item.itemId)).map(({ name }) => name)).toEqual(['catalog.item-listed.v1'])
})

test('a delisting that applies when the reservation ends needs a newer permit too', async () => {
  const item = await givenItem(seller.userId, {}, { inWallet: wallet() })
  const list = () => put(seller.userId, `${item.path}/set-price`, { price: 5, forSale: true })
  await list()
  const order = orderFor([{ ...item, priceCents: 500 }])
  expect((await post('/internal/reservations', order)).status).toBe(200)
  await put(seller.userId, `${item.path}/remove-from-sale`)
  const line = { orderId: order.orderId, lineId: randomUUID(), itemId: item.itemId, token: item.token, name: item.name }
  const people = { buyerId: order.buyerId, sellerId: seller.userId, priceCents: 500, wallet: order.buyerWallet }
  const released = { ...line, ...people, reason: 'expired', moneyWasHeld: false, at } as const
  await consume(messageOf(orderLineReleased, released))
  expect((await get(item.page)).forSale).toBe(false)

  await list()
  const { permittedSince } = peers.requests.at(-1)!.tokens[0]!
  expect(await published(item.itemId)).toContainEqual(
    expect.objectContaining({ name: 'catalog.item-delisted.v1', at: permittedSince }),
  )
})

test('a password reset ends listings out of wallets, and those out of custody stay', async () => {
  const owner = await givenAccount({ admin: true })
  const [held, reserved] = [
    await givenItem(owner.userId, {}, { inWallet: wallet() }),
    await givenItem(owner.userId, {}, { inWallet: wallet() }),
  ]
  const custody = await givenItem(owner.userId)
  for (const item of [held, reserved]) await put(owner.userId, `${item.path}/set-price`, { price: 5, forSale: true })
  const order = orderFor([{ ...reserved, priceCents: 500 }])
  expect((await post('/internal/reservations', order)).status).toBe(200)

  await consume(messageOf(passwordReset, { userId: owner.userId, at }))

  expect((await get(held.page)).forSale).toBe(false)
  expect((await published(held.itemId)).at(-1)).toMatchObject({ name: 'catalog.item-delisted.v1', reason: 'owner' })
  expect(await get(reserved.page)).toMatchObject({ reserved: true, delistRequested: true })
  expect((await get(custody.page)).forSale).toBe(true)
})

test('a change of wallet ends listings out of other wallets than the new one', async () => {
  const [former, next] = [wallet(), wallet()]
  const owner = await givenAccount({ admin: true, wallet: former })
  const [inFormer, inNext] = [
    await givenItem(owner.userId, {}, { inWallet: former }),
    await givenItem(owner.userId, {}, { inWallet: next }),
  ]
  for (const item of [inFormer, inNext]) await put(owner.userId, `${item.path}/set-price`, { price: 5, forSale: true })
  await consume(messageOf(accountChanged, { ...owner, version: 2, firstName: 'Eda' }))
  expect((await get(inFormer.page)).forSale).toBe(true)

  await consume(messageOf(accountChanged, { ...owner, version: 3, wallet: next }))

  expect((await get(inFormer.page)).forSale).toBe(false)
  expect((await get(inNext.page)).forSale).toBe(true)
})
