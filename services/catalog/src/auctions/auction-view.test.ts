import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { startTestCatalog } from '../testing.ts'

const { app, db, get, givenAccount, givenItem, put, peers } = await startTestCatalog()
const seller = await givenAccount({ admin: true })

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)

/** A work on auction, as its commands store it. */
async function givenAuction(changes: Partial<Insertable<Database['auction']>> = {}) {
  const item = await givenItem(seller.userId, { priceCents: null })
  const { id } = await db
    .insertInto('auction')
    .values({ itemId: item.itemId, sellerId: seller.userId, openingCents: 5_000, hours: 24, ...changes })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!changes.endedAt)
    await db.updateTable('item').set({ auctionId: id, priceCents: 5_000 }).where('id', '=', item.itemId).execute()
  return { ...item, id }
}
type Stood = { bidderId: string; priceCents: number; minute: number } & Partial<
  Pick<Insertable<Database['bid']>, 'limitCents' | 'withdrawn' | 'why'>
>
const bid = (auctionId: string, { minute, why, ...stood }: Stood) =>
  db
    .insertInto('bid')
    .values({
      orderId: randomUUID(),
      auctionId,
      limitCents: 77_700,
      state: why ? 'ended' : 'leading',
      why: why ?? null,
      stoodAt: new Date(Date.UTC(2026, 10, 27, 10, minute)),
      ...stood,
    })
    .execute()

const ofMarket = async (query: string) =>
  (await app.inject(`/api/nfts/market?${query}`)).json().nfts.map(({ _id }: { _id: string }) => _id)
const bidsOf = async (id: string) => (await app.inject(`/api/auctions/${id}/bids`)).json()
const ownBidder = async (id: string, userId: string) =>
  (await app.inject({ url: `/api/auctions/${id}/bidder`, headers: peers.bearer(userId) })).json()

test('card and page of a work on auction have its terms, the price now and the least bid', async () => {
  const endsAt = inHours(5)
  const ends = { endsAt, latestEndAt: inHours(29), priceCents: 12_100, leaderOrder: randomUUID(), bids: 3 }
  const { id, itemId, page } = await givenAuction(ends)
  const auction = {
    _id: id,
    opening: 50,
    hours: 24,
    startsAt: null,
    endsAt: endsAt.toISOString(),
    price: 121,
    bids: 3,
    minimum: 128,
    outcome: null,
    why: null,
  }
  expect((await get(page)).auction).toEqual(auction)
  const card = (await app.inject('/api/nfts/market?sale=auctions')).json().nfts.find((nft: any) => nft._id === itemId)
  expect(card).toMatchObject({ auction, forSale: false })
})

test('without a bid the least one is the opening price', async () => {
  const { page } = await givenAuction()
  expect((await get(page)).auction).toMatchObject({ price: null, minimum: 50, bids: 0, endsAt: null })
})

test('the market has the works on auction: the one that ends first, then those whose clock waits', async () => {
  await db.updateTable('item').set({ auctionId: null }).where('auctionId', 'is not', null).execute()
  const [waits, late, soon] = [
    await givenAuction(),
    await givenAuction({ endsAt: inHours(9), latestEndAt: inHours(33) }),
    await givenAuction({ endsAt: inHours(2), latestEndAt: inHours(26) }),
  ]
  expect(await ofMarket('sale=auctions')).toEqual([soon.itemId, late.itemId, waits.itemId])
  expect(await ofMarket('sale=auctions&search=dusk')).toEqual([soon.itemId, late.itemId, waits.itemId])
  expect(await ofMarket('sale=auctions&sort=newest')).toEqual([soon.itemId, late.itemId, waits.itemId].sort().reverse())
})

test('sorted by "for sale", works on auction come before those that cannot be bought', async () => {
  const onAuction = await givenAuction()
  const kept = await givenItem(seller.userId, { priceCents: null })
  const sorted = await ofMarket('sort=for_sale&limit=100')
  expect(sorted.indexOf(onAuction.itemId)).toBeLessThan(sorted.indexOf(kept.itemId))
  expect(sorted).toContain(onAuction.itemId)
})

test('a page has the last auction until the work is for sale again; a card has none', async () => {
  const endedAt = inHours(-1)
  const { page, path, itemId } = await givenAuction({ state: 'unsold', endedAt })
  expect((await get(page)).auction).toMatchObject({ outcome: 'unsold', endedAt: endedAt.toISOString() })
  const owned = (await app.inject(`/api/nfts/user/${seller.username}`)).json().nfts
  expect(owned.find(({ _id }: any) => _id === itemId)).toMatchObject({ auction: null })

  expect((await put(seller.userId, `${path}/set-price`, { price: 90, forSale: true })).statusCode).toBe(200)
  expect((await get(page)).auction).toBeNull()
  expect((await put(seller.userId, `${path}/remove-from-sale`)).statusCode).toBe(200)
  expect((await get(page)).auction).toBeNull()
})

test('the history of an auction numbers its bidders, and has no name, account, order or maximum', async () => {
  const { id } = await givenAuction()
  const [ada, ben] = [randomUUID(), randomUUID()]
  await bid(id, { bidderId: ben, priceCents: 5_000, minute: 1, why: 'hold_lost', withdrawn: true })
  await bid(id, { bidderId: ada, priceCents: 5_000, minute: 2, why: 'outbid', limitCents: 8_500 })
  await bid(id, { bidderId: ben, priceCents: 9_000, minute: 3 })
  await bid(id, { bidderId: ada, priceCents: 9_900, minute: 4, why: 'outbid', limitCents: 9_400 })
  await db
    .insertInto('bid')
    .values({ orderId: randomUUID(), auctionId: id, bidderId: randomUUID(), limitCents: 88_800 })
    .execute()

  const at = (minute: number) => `2026-11-27T10:0${minute}:00.000Z`
  expect(await bidsOf(id.toUpperCase())).toEqual(await bidsOf(id))
  // A bid that was outbid at once raised the price of who led.
  expect(await bidsOf(id)).toEqual({
    leader: null,
    bids: [
      { bidder: 2, leader: 1, price: 99, at: at(4), withdrawn: false },
      { bidder: 1, leader: 1, price: 90, at: at(3), withdrawn: false },
      { bidder: 2, leader: 2, price: 50, at: at(2), withdrawn: false },
      { bidder: 1, leader: 1, price: 50, at: at(1), withdrawn: true },
    ],
  })
  await db
    .updateTable('auction')
    .set({ leaderOrder: randomUUID(), priceCents: 9_900, endsAt: inHours(24), latestEndAt: inHours(48) })
    .where('id', '=', id)
    .execute()
  await expect.poll(() => bidsOf(id)).toMatchObject({ leader: 1 })

  const numberOf = async (userId: string) => (await ownBidder(id, userId)).bidder
  expect([await numberOf(ben), await numberOf(ada), await numberOf(seller.userId)]).toEqual([1, 2, null])
})

test('of two equal maxima the first one leads', async () => {
  const { id } = await givenAuction()
  const [ada, ben] = [randomUUID(), randomUUID()]
  await bid(id, { bidderId: ada, priceCents: 5_000, minute: 1, limitCents: 9_000 })
  await bid(id, { bidderId: ben, priceCents: 9_000, minute: 2, limitCents: 9_000, why: 'outbid' })
  const leaders = async () => (await bidsOf(id)).bids.map(({ bidder, leader }: any) => [bidder, leader])
  expect(await leaders()).toEqual([
    [2, 1],
    [1, 1],
  ])
})

test('the history is cached until the auction changes', async () => {
  const { id } = await givenAuction()
  expect(await bidsOf(id)).toEqual({ bids: [], leader: null })
  await db.transaction().execute(async (trx) => {
    const orderId = randomUUID()
    await trx
      .insertInto('bid')
      .values({
        orderId,
        auctionId: id,
        bidderId: randomUUID(),
        limitCents: 6_000,
        state: 'leading',
        stoodAt: inHours(0),
        priceCents: 5_000,
      })
      .execute()
    await trx
      .updateTable('auction')
      .set({ leaderOrder: orderId, priceCents: 5_000, bids: 1, endsAt: inHours(24), latestEndAt: inHours(48) })
      .where('id', '=', id)
      .execute()
  })
  await expect.poll(() => bidsOf(id)).toMatchObject({ bids: [{ bidder: 1, price: 50 }] })
})

test('an unknown auction has no history and no bidders', async () => {
  expect(await bidsOf(randomUUID())).toMatchObject({ code: 'auction_not_found' })
  expect(await ownBidder(randomUUID(), seller.userId)).toMatchObject({ code: 'auction_not_found' })
})
