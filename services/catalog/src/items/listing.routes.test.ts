import { randomUUID } from 'node:crypto'
import { accountChanged, accountDeleted } from '@nifty/events/auth'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, contract, orderFor, startTestCatalog, wallet } from '../testing.ts'

const { put, post, get, market, consume, givenAccount, givenItem, moveToken, published, peers, app } =
  await startTestCatalog()
const seller = await givenAccount({ admin: true })
const wrongPrice = 'Price must be between 0.50 and 999999.99 with at most 2 decimals'

test('an owner with the admin flag lists an item, and the market shows it first at once', async () => {
  const item = await givenItem(seller.userId, { priceCents: null })
  await givenItem(seller.userId)
  expect(await get(item.page)).toMatchObject({ forSale: false, price: null, listedAt: null })

  const response = await put(seller.userId, `${item.path}/set-price`, { price: 19.99, forSale: true })
  expect(response.json()).toMatchObject({ success: true, nft: { price: 19.99, forSale: true } })
  expect((await market('?buyOption=now')).nfts[0]).toMatchObject({ _id: item.itemId, price: 19.99 })
  expect(await published(item.itemId)).toMatchObject([
    { name: 'catalog.item-listed.v1', priceCents: 1999, sellerId: seller.userId, listingVersion: 1 },
  ])
})

test('listing and delisting need a token, ownership and the admin flag', async () => {
  const collector = await givenAccount()
  const item = await givenItem(collector.userId)
  const offer = { price: 5, forSale: true }
  for (const [path, payload] of [
    ['set-price', offer],
    ['remove-from-sale', undefined],
  ] as const) {
    const asUser = (userId?: string) => put(userId, `${item.path}/${path}`, payload)
    expect((await asUser()).statusCode).toBe(401)
    expect((await asUser()).headers['www-authenticate']).toBe('Bearer')
    expect((await asUser(seller.userId)).json()).toMatchObject({ success: false, message: 'Forbidden' })
    expect((await asUser(collector.userId)).json().message).toBe(
      'To gain access to selling your NFTs, please contact us.',
    )
    expect((await asUser(collector.userId)).statusCode).toBe(403)
  }
  expect((await get(item.page)).forSale).toBe(false)
})

test('a revoked admin flag counts from the next request on', async () => {
  const former = await givenAccount({ admin: true })
  const item = await givenItem(former.userId, { priceCents: null })
  await consume(messageOf(accountChanged, { ...former, version: 2, admin: false }))
  expect((await put(former.userId, `${item.path}/set-price`, { price: 5, forSale: true })).statusCode).toBe(403)
})

test.each([null, true, [5], '12', -1, -0, 0, 0.49, 0.001, 12.345, 1e-7, 1_000_000, {}, '', undefined, 0.1 + 0.2])(
  'a price of %j is refused',
  async (price) => {
    const item = await givenItem(seller.userId)
    const response = await put(seller.userId, `${item.path}/set-price`, { price, forSale: true })
    expect(response.statusCode).toBe(400)
    expect(response.json()).toMatchObject({ success: false, message: wrongPrice })
    expect((await get(item.page)).price).toBe(120)
  },
)

test('a price beyond the range of numbers is refused, and so is invalid JSON', async () => {
  const item = await givenItem(seller.userId)
  const send = (payload: string) =>
    app.inject({
      method: 'PUT',
      url: `${item.path}/set-price`,
      payload,
      headers: { ...peers.bearer(seller.userId), 'content-type': 'application/json' },
    })
  for (const price of ['1e309', '-0', '12345678901234567890'])
    expect((await send(`{"price":${price},"forSale":true}`)).json().message).toBe(wrongPrice)
  for (const body of [
    '{"price":NaN,"forSale":true}',
    '[]',
    '5',
    'null',
    '',
    '{"price":5,"forSale":true,"__proto__":{}}',
  ])
    expect((await send(body)).statusCode).toBe(400)
})

test.each([0.5, 19.99, 999_999.99])('a price of %d euros is kept to the cent', async (price) => {
  const item = await givenItem(seller.userId, { priceCents: null })
  await put(seller.userId, `${item.path}/set-price`, { price, forSale: true })
  expect((await get(item.page)).price).toBe(price)
  expect((await published(item.itemId)).at(-1)).toMatchObject({ priceCents: Math.round(price * 100) })
})

test('only the price changes; all other fields of the body are ignored', async () => {
  const item = await givenItem(seller.userId)
  const before = await get(item.page)
  const forged = {
    name: 'x',
    description: 'x',
    image: 'http://169.254.169.254/',
    category: 'Moto',
    owner: randomUUID(),
  }
  const same = { contract: contract.toLowerCase(), identifier: item.identifier, token_standard: 'x', _id: randomUUID() }
  const response = await put(seller.userId, `${item.path}/set-price`, { price: 7, forSale: true, ...forged, ...same })
  expect(response.statusCode).toBe(200)
  const { history, price, listedAt, ...after } = await get(item.page)
  expect({ ...before, ...after }).toEqual({ ...before })
  expect(price).toBe(7)
})

test.each([
  [{ forSale: false }, 'invalid_for_sale'],
  [{ forSale: 'true' }, 'invalid_for_sale'],
  [{ forSale: undefined }, 'invalid_for_sale'],
  [{ contract: wallet() }, 'other_item'],
  [{ identifier: '987654' }, 'other_item'],
])('a body with %j is refused', async (changes, code) => {
  const item = await givenItem(seller.userId)
  const response = await put(seller.userId, `${item.path}/set-price`, { price: 5, forSale: true, ...changes })
  expect([response.statusCode, response.json().code]).toEqual([400, code])
})

test('an undeliverable item is not listed, and the response has the permit to sign', async () => {
  const item = await givenItem(seller.userId, {}, { inWallet: wallet() })
  peers.refusals.set(item.token, { code: 'permit_required', permit: { primaryType: 'Permit' } })
  const list = () => put(seller.userId, `${item.path}/set-price`, { price: 5, forSale: true })
  expect((await list()).statusCode).toBe(409)
  expect((await list()).json()).toMatchObject({
    code: 'permit_required',
    details: { typedData: { primaryType: 'Permit' } },
  })
  peers.refusals.delete(item.token)
  expect((await list()).statusCode).toBe(200)
})

test('a foreign contract is a 403, an unknown token of ours a 404, a malformed one a 400', async () => {
  const list = async (path: string) =>
    (await put(seller.userId, `/api/nfts/${path}/set-price`, { price: 5, forSale: true })).statusCode
  expect(await list(`${wallet()}/1`)).toBe(403)
  expect(await list(`${contract}/99999999`)).toBe(404)
  expect(await list(`${contract}/-1`)).toBe(400)
})

test('remove-from-sale is idempotent', async () => {
  const item = await givenItem(seller.userId)
  for (const _ of [1, 2]) {
    const response = await put(seller.userId, `${item.path}/remove-from-sale`, {})
    expect(response.json()).toMatchObject({ success: true, nft: { forSale: false } })
  }
  const delistings = (await published(item.itemId)).filter(({ name }) => name === 'catalog.item-delisted.v1')
  expect(delistings).toMatchObject([{ reason: 'owner' }])
})

test('for a reserved item remove-from-sale is a delist request, and a new price counts for the next sale', async () => {
  const item = await givenItem(seller.userId)
  const order = orderFor([item])
  expect((await post('/internal/reservations', order)).status).toBe(200)

  const removed = await put(seller.userId, `${item.path}/remove-from-sale`)
  expect(removed.json().nft).toMatchObject({ forSale: true, reserved: true, delistRequested: true })
  await put(seller.userId, `${item.path}/remove-from-sale`)
  const requests = (await published(item.itemId)).filter(({ name }) => name === 'catalog.delist-requested.v1')
  expect(requests).toMatchObject([{ orderId: order.orderId }])

  const offer = await put(seller.userId, `${item.path}/set-price`, { price: 77, forSale: true })
  expect(offer.json().nft).toMatchObject({ price: 77, reserved: true, delistRequested: false })
  expect((await post('/internal/reservations', order)).body.lines).toMatchObject([{ priceCents: 12_000 }])
})

test('losing the admin flag, suspension and deletion end listings; for a reserved item they request it', async () => {
  for (const end of ['admin', 'suspended', 'deleted'] as const) {
    const owner = await givenAccount({ admin: true })
    const [open, reserved] = [await givenItem(owner.userId), await givenItem(owner.userId)]
    const order = orderFor([reserved])
    await post('/internal/reservations', order)
    const { userId, username, email, firstName } = owner
    if (end === 'deleted') await consume(messageOf(accountDeleted, { userId, username, email, firstName, at }))
    else await consume(messageOf(accountChanged, { ...owner, version: 2, admin: end !== 'admin', suspended: true }))

    expect((await get(open.page)).forSale).toBe(false)
    expect((await published(open.itemId)).at(-1)).toMatchObject({ name: 'catalog.item-delisted.v1', reason: 'account' })
    expect(await get(reserved.page)).toMatchObject({ reserved: true, delistRequested: true })
    expect((await published(reserved.itemId)).at(-1)).toMatchObject({ orderId: order.orderId })
  }
})

test('every transfer ends the listing, since it voids the permit', async () => {
  const item = await givenItem(seller.userId)
  await moveToken(item, { ownerId: seller.userId, wallet: wallet() })
  expect(await get(item.page)).toMatchObject({ forSale: false, custody: false, ownerUsername: seller.username })
  expect((await published(item.itemId)).at(-1)).toMatchObject({ reason: 'undeliverable' })
})
