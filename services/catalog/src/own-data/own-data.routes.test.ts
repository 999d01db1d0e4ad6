import { randomUUID } from 'node:crypto'
import { accountDeleted } from '@nifty/events/auth'
import { orderLineAuthorised } from '@nifty/events/payments'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { startTestBidding } from '../bidding/testing.ts'
import { at, wallet } from '../testing.ts'

const catalog = await startTestBidding()
const { app, db, peers, consume, givenAccount, givenItem, moveToken, put } = catalog
const read = async (userId: string) =>
  (await app.inject({ url: '/api/creators/export', headers: peers.steppedUp(userId) })).json()

test('an account exports works that it made or owns, without the prices of others, and its own history', async () => {
  const [seller, buyer, stranger] = [
    await givenAccount({ admin: true }),
    await givenAccount({ admin: true }),
    await givenAccount(),
  ]
  const sold = await givenItem(seller.userId)
  const own = await givenItem(seller.userId)
  await moveToken(sold, { ownerId: buyer.userId })
  await put(buyer.userId, `${sold.path}/set-price`, { price: 77, forSale: true })

  const works = (await read(seller.userId)).records.filter(({ kind }: { kind: string }) => kind === 'work')
  const byId = Object.fromEntries(works.map(({ data }: { data: { id: string } }) => [data.id, data]))
  expect(Object.keys(byId).sort()).toEqual([sold.itemId, own.itemId].sort())
  expect(byId[sold.itemId]).toMatchObject({ isCreator: true, isOwner: false, priceCents: null, forSale: null })
  expect(byId[own.itemId]).toMatchObject({ isCreator: true, isOwner: true, priceCents: 12_000 })

  const { records } = await read(buyer.userId)
  expect(records[0].data).toMatchObject({ id: sold.itemId, isCreator: false, isOwner: true, priceCents: 7_700 })
  expect(records.map(({ kind }: { kind: string }) => kind)).toContain('work_history')
  expect(records.at(-1)).toMatchObject({ kind: 'security_event', data: { kind: 'listing', outcome: 'ok' } })
  expect(JSON.stringify(records)).not.toContain(seller.userId)
  expect(await read(stranger.userId)).toEqual({ records: [], next: null })
  expect(peers.exports).toEqual([seller.userId, buyer.userId, stranger.userId])
})

test('the hash of a card is exported, erased with its account, and not stored again', async () => {
  const [seller, buyer] = [await givenAccount({ admin: true }), await givenAccount()]
  const { itemId, token, name } = await givenItem(seller.userId)
  const ids = { orderId: randomUUID(), lineId: randomUUID(), itemId, token, name }
  const accounts = { buyerId: buyer.userId, sellerId: seller.userId }
  const line = { ...ids, ...accounts, priceCents: 12_000, wallet: wallet(), deliverBy: at, card: 'f00d', at }
  const pay = () => consume(messageOf(orderLineAuthorised, line))
  await pay()
  expect((await read(buyer.userId)).records).toEqual([{ kind: 'card', data: { sha256OfFingerprint: 'f00d' } }])

  await consume(messageOf(accountDeleted, { ...buyer, at }))
  await pay()

  expect(await db.selectFrom('accountCard').selectAll().where('userId', '=', buyer.userId).execute()).toEqual([])
})

test('an account exports its auctions and bids, and a seller does not read who bids how much', async () => {
  const { userId } = await givenAccount({ admin: true })
  const [bidder, other] = [await givenAccount(), await givenAccount()]
  const item = await givenItem(userId, { priceCents: null })
  await catalog.startAuction(item, {}, { userId })
  const { id } = await catalog.auctionOf(item)
  const low = await catalog.givenBid(item, 2_000, { buyerId: other.userId })
  const { orderId, buyerWallet } = await catalog.givenBid(item, 5_000, { buyerId: bidder.userId })

  const bids = await read(bidder.userId)
  expect(bids.records).toMatchObject([
    {
      kind: 'bid',
      data: { orderId, auctionId: id, itemId: item.itemId, limitCents: 5_000, state: 'leading', priceCents: 2_100 },
    },
  ])
  expect(bids.records[0].data.wallet).toBe(buyerWallet)
  expect(JSON.stringify(bids)).not.toContain(low.orderId)
  const own = await read(userId)
  expect(own.records.filter(({ kind }: { kind: string }) => kind === 'bid')).toEqual([])
  expect(own.records.find(({ kind }: { kind: string }) => kind === 'auction').data).toMatchObject({
    id,
    itemId: item.itemId,
    openingCents: 1_000,
    priceCents: 2_100,
    bids: 2,
    state: 'open',
  })
  expect(JSON.stringify(own)).not.toContain(bidder.userId)
})

test('without a token the export is a 401', async () => {
  expect((await app.inject('/api/creators/export')).statusCode).toBe(401)
})
