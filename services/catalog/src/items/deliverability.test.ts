import type { Reservation } from '@nifty/api/catalog/internal'
import { expect, test } from 'vitest'
import { orderFor, startTestCatalog, wallet } from '../testing.ts'
import { reserveLocked } from './reservation.actions.ts'

const { db, put, post, get, givenAccount, givenItem, moveToken, published, peers } = await startTestCatalog()
const seller = await givenAccount({ admin: true, wallet: wallet() })
const reserve = (order: unknown) => post('/internal/reservations', order)
type Item = Awaited<ReturnType<typeof givenItem>>
const reserveLockedFor = (item: Item) =>
  db.transaction().execute((trx) => reserveLocked(trx, orderFor([item]) as Reservation))

test.each(['unknown_token', 'not_final'])(
  'an item that minting does not know for sure (%s) stays for sale',
  async (code) => {
    const item = await givenItem(seller.userId)
    peers.refusals.set(item.token, { code })
    expect(await reserve(orderFor([item]))).toMatchObject({ status: 503, body: { code: 'deliverability_unknown' } })
    expect(await get(item.page)).toMatchObject({ forSale: true, reserved: false })
    peers.refusals.clear()
    expect((await reserve(orderFor([item]))).status).toBe(200)
  },
)

test('while the chain does not respond, an item is not reserved, not listed and not delisted', async () => {
  const [listed, unlisted] = [await givenItem(seller.userId), await givenItem(seller.userId, { priceCents: null })]
  peers.unavailable = 'chain_unavailable'
  const unavailable = { status: 503, body: { code: 'chain_unavailable' } }
  expect(await reserve(orderFor([listed]))).toMatchObject(unavailable)
  const response = await put(seller.userId, `${unlisted.path}/set-price`, { price: 120, forSale: true })
  expect({ status: response.statusCode, body: response.json() }).toMatchObject(unavailable)
  peers.unavailable = null
  expect(await get(listed.page)).toMatchObject({ forSale: true, reserved: false })
  expect(await get(unlisted.page)).toMatchObject({ forSale: false })
})

test('a new price of a work that is listed in custody needs no answer of minting; of one in a wallet it does', async () => {
  const custody = await givenItem(seller.userId)
  const held = await givenItem(seller.userId, {}, { inWallet: wallet() })
  const setPrice = ({ path }: Item) => put(seller.userId, `${path}/set-price`, { price: 130, forSale: true })
  expect((await setPrice(held)).statusCode).toBe(200)
  peers.unavailable = 'chain_unavailable'
  expect((await setPrice(custody)).json()).toMatchObject({ nft: { price: 130, forSale: true } })
  expect((await setPrice(held)).statusCode).toBe(503)
  peers.unavailable = null
})

test.each(['not_owner', 'permit_required', 'work_contested', 'gift_waits'])(
  'an item that minting refuses as %s is delisted',
  async (code) => {
    const item = await givenItem(seller.userId)
    peers.refusals.set(item.token, { code })
    expect((await reserve(orderFor([item]))).body).toMatchObject({ message: 'This item is not for sale' })
    expect(await get(item.page)).toMatchObject({ forSale: false, reserved: false })
    expect((await published(item.itemId)).at(-1)).toMatchObject({ reason: 'undeliverable' })
  },
)

test.each<[string, (item: Item) => Promise<unknown>]>([
  ['was listed again', (item) => put(seller.userId, `${item.path}/set-price`, { price: 77, forSale: true })],
  ['moved into custody', (item) => moveToken(item, { ownerId: seller.userId, wallet: null })],
  ['was reserved', (item) => reserveLockedFor(item)],
])('a refusal of minting delists no item that %s since minting was asked', async (_change, change) => {
  const item = await givenItem(seller.userId, {}, { inWallet: wallet() })
  await put(seller.userId, `${item.path}/set-price`, { price: 120, forSale: true })
  peers.refusals.set(item.token, { code: 'permit_required' })
  peers.whileMintingIsAsked(async () => {
    peers.refusals.delete(item.token)
    await change(item)
    peers.refusals.set(item.token, { code: 'permit_required' })
  })

  expect((await reserve(orderFor([item]))).status).toBe(409)

  expect(await get(item.page)).toMatchObject({ forSale: true })
  expect((await published(item.itemId)).map(({ name }) => name)).not.toContain('catalog.item-delisted.v1')
})

test('a wallet that cannot receive is refused, and the item stays for sale', async () => {
  const item = await givenItem(seller.userId)
  peers.refusals.set(item.token, { code: 'recipient_refuses' })
  expect(await reserve(orderFor([item]))).toMatchObject({ status: 409, body: { code: 'recipient_refuses' } })
  expect(await get(item.page)).toMatchObject({ forSale: true, reserved: false })
})

test('without minting nothing is reserved', async () => {
  const service = await startTestCatalog({}, { minting: 'http://127.0.0.1:9' })
  const owner = await service.givenAccount({ admin: true })
  const other = await service.givenItem(owner.userId)
  expect(await service.post('/internal/reservations', orderFor([other]))).toMatchObject({ status: 503 })
  expect((await service.get(other.page)).reserved).toBe(false)
})
