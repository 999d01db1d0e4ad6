import { randomUUID } from 'node:crypto'
import { tokenContested } from '@nifty/events/minting'
import { orderLineCleared, orderLineContested } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { orderFor, startTestCatalog, wallet } from '../testing.ts'

const { put, post, get, consume, givenAccount, givenItem, moveToken, published, peers } = await startTestCatalog()

/** A work in custody that its owner bought. */
async function givenBoughtWork() {
  const [seller, buyer] = [await givenAccount({ admin: true }), await givenAccount({ admin: true })]
  const item = await givenItem(seller.userId)
  await moveToken(item, { ownerId: buyer.userId })
  const { itemId, token } = item
  const line = {
    orderId: randomUUID(),
    lineId: randomUUID(),
    itemId,
    token,
    name: 'Dusk',
    buyerId: buyer.userId,
    sellerId: seller.userId,
    priceCents: 12_000,
  }
  const at = (second: number) => new Date(Date.UTC(2026, 3, 1, 12, 0, second)).toISOString()
  return {
    item,
    buyer,
    contest: (second: number) => consume(messageOf(orderLineContested, { ...line, at: at(second) })),
    clear: (second: number) => consume(messageOf(orderLineCleared, { ...line, at: at(second) })),
    list: (userId = buyer.userId) => put(userId, `${item.path}/set-price`, { price: 5, forSale: true }),
  }
}

const codeOf = async (response: Promise<{ statusCode: number; json: () => any }>) => {
  const { statusCode, json } = await response
  return statusCode === 200 ? 200 : `${statusCode} ${json().code}`
}

test('a contested work is listed again only once it is cleared, and its listing ends', async () => {
  const { item, contest, clear, list } = await givenBoughtWork()
  expect(await codeOf(list())).toBe(200)

  await contest(1)

  expect(await get(item.page)).toMatchObject({ forSale: false })
  expect((await published(item.itemId)).at(-1)).toMatchObject({ name: 'catalog.item-delisted.v1', reason: 'account' })
  expect(await codeOf(list())).toBe('409 work_contested')
  await contest(1)
  await clear(2)
  expect(await codeOf(list())).toBe(200)
})

test('events of a line that arrive late or in another sequence change nothing', async () => {
  const { contest, clear, list, item } = await givenBoughtWork()
  await clear(2)
  await contest(1)
  expect(await codeOf(list())).toBe(200)
  await contest(3)
  await clear(2)
  expect(await codeOf(list())).toBe('409 work_contested')
  expect(await get(item.page)).toMatchObject({ forSale: false })
})

test('a permit is not asked for a contested work', async () => {
  const { item, contest, list } = await givenBoughtWork()
  await contest(1)
  peers.refusals.set(item.token, { code: 'permit_required', permit: {} })
  expect(await codeOf(list())).toBe('409 work_contested')
})

test('a work that is contested while minting is asked is not listed', async () => {
  const { item, buyer, contest, list } = await givenBoughtWork()
  await moveToken(item, { ownerId: buyer.userId, wallet: wallet(), position: 300 })
  peers.whileMintingIsAsked(() => contest(1))
  expect(await codeOf(list())).toBe('409 work_contested')
  expect(await get(item.page)).toMatchObject({ forSale: false })
})

test('the listing of a recipient ends when minting says that the payment of the gift is contested, and no later owner’s', async () => {
  const { item, buyer, contest, list } = await givenBoughtWork()
  const recipient = await givenAccount({ admin: true })
  await moveToken(item, { ownerId: recipient.userId, position: 300 })
  expect(await codeOf(list(recipient.userId))).toBe(200)
  const concerns = (ownerId: string) =>
    consume(messageOf(tokenContested, { token: item.token, ownerId, at: '2026-04-01T12:00:01.000Z' }))

  await contest(1)
  await concerns(buyer.userId)
  expect(await get(item.page)).toMatchObject({ forSale: true })
  await concerns(recipient.userId)

  expect(await get(item.page)).toMatchObject({ forSale: false })
  expect((await published(item.itemId)).at(-1)).toMatchObject({ name: 'catalog.item-delisted.v1', reason: 'account' })
})

test('whoever bought the work of a contested buyer since then may list it', async () => {
  const { item, contest, list } = await givenBoughtWork()
  await contest(1)
  const next = await givenAccount({ admin: true })
  await moveToken(item, { ownerId: next.userId, position: 300 })
  expect(await codeOf(list(next.userId))).toBe(200)
  await contest(2)
  expect(await get(item.page)).toMatchObject({ forSale: true })
})

test('an unpaid purchase of a contested work is requested to end, with its listing', async () => {
  const { item, buyer, contest, list } = await givenBoughtWork()
  await list()
  const order = orderFor([{ itemId: item.itemId, priceCents: 500 }])
  expect((await post('/internal/reservations', order)).status).toBe(200)
  await contest(1)
  expect((await published(item.itemId)).at(-1)).toMatchObject({
    name: 'catalog.delist-requested.v1',
    orderId: order.orderId,
  })
  expect(await codeOf(list(buyer.userId))).toBe('409 work_contested')
})
