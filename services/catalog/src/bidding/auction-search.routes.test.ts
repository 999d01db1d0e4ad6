import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { startTestCatalog } from '../testing.ts'

const { db, getInternal, givenAccount, givenItem, internalUrl, post } = await startTestCatalog()
const seller = await givenAccount({ admin: true })

const found = async (query: Record<string, string>) =>
  (await getInternal(`/internal/auctions?${new URLSearchParams(query)}`)).auctions
const idsOf = (auctions: { id: string }[]) => auctions.map(({ id }) => id)

/** An auction of a work, as its commands store it; it is the work's own unless it is over. */
async function givenAuction(itemId: string, changes: Partial<Insertable<Database['auction']>> = {}) {
  const { id } = await db
    .insertInto('auction')
    .values({ itemId, sellerId: seller.userId, openingCents: 5_000, hours: 24, ...changes })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (!changes.endedAt)
    await db.updateTable('item').set({ auctionId: id, priceCents: 5_000 }).where('id', '=', itemId).execute()
  return id
}
const givenWork = () => givenItem(seller.userId, { priceCents: null, name: 'Dusk' })
async function givenBid(auctionId: string, changes: Partial<Insertable<Database['bid']>> = {}) {
  const [orderId, bidderId] = [randomUUID(), randomUUID()]
  await db
    .insertInto('bid')
    .values({ orderId, auctionId, bidderId, limitCents: 77_700, ...changes })
    .execute()
  return { orderId, bidderId }
}
const over = { endedAt: new Date() }

test('operators find auctions by work, seller, bidder and state; those that are over on request, with the reason', async () => {
  const [work, other] = [await givenWork(), await givenWork()]
  const past = await givenAuction(work.itemId, { ...over, state: 'void', why: 'hidden' })
  const open = await givenAuction(work.itemId)
  const elsewhere = await givenAuction(other.itemId)
  const { bidderId, orderId } = await givenBid(elsewhere)

  expect(await found({ itemId: work.itemId })).toMatchObject([
    { id: open, name: 'Dusk', opening: 50, hours: 24, state: 'open', price: null, sellerId: seller.userId },
  ])
  expect(idsOf(await found({ itemId: work.itemId, state: 'any' }))).toEqual([open, past])
  expect(await found({ itemId: work.itemId, state: 'void' })).toMatchObject([{ id: past, why: 'hidden' }])
  expect(idsOf(await found({ accountId: bidderId }))).toEqual([elsewhere])
  expect(idsOf(await found({ accountId: seller.userId }))).toEqual(expect.arrayContaining([open, elsewhere]))
  expect(idsOf(await found({ itemId: work.itemId, state: 'any', after: open }))).toEqual([past])
  expect(idsOf(await found({ id: past, state: 'any' }))).toEqual([past])
  expect(idsOf(await found({ orderId }))).toEqual([elsewhere])
  expect(await found({ orderId: seller.userId })).toEqual([])
})

test('each auction has the number of those of its seller that became void with bids', async () => {
  const sellerId = randomUUID()
  const work = await givenWork()
  const voided = { ...over, sellerId, state: 'void', why: 'moved' } as const
  for (const changes of [
    { ...voided, bids: 1 },
    { ...voided, bids: 7 },
    { ...voided, bids: 0 },
    { ...over, sellerId, state: 'unsold', bids: 1 } as const,
  ])
    await givenAuction(work.itemId, changes)
  await givenAuction(work.itemId, { ...voided, sellerId: randomUUID(), bids: 1 })
  const counts = (await found({ accountId: sellerId, state: 'any' })).map(
    ({ sellerVoided }: { sellerVoided: number }) => sellerVoided,
  )
  expect(counts).toEqual([2, 2, 2, 2])
})

test('an auction to go on after that does not exist is a 400', async () => {
  expect(await getInternal(`/internal/auctions?after=${seller.userId}`)).toMatchObject({ code: 'invalid_cursor' })
})

test('operators read all bids of an auction, with the most that each bidder would pay', async () => {
  const id = await givenAuction((await givenWork()).itemId)
  const bid = await givenBid(id)
  expect(await getInternal(`/internal/auctions/${id}`)).toMatchObject({
    auction: { id, state: 'open' },
    bids: [{ ...bid, limit: 777, state: 'started', why: null, stoodAt: null, price: null }],
  })
  expect(await getInternal(`/internal/auctions/${randomUUID()}`)).toMatchObject({ code: 'auction_not_found' })
})

test('a bid stood when its card was held; one of before that was stored, since its entry in the history', async () => {
  const id = await givenAuction((await givenWork()).itemId)
  const stood = { state: 'ended', why: 'outbid', priceCents: 5_000, stoodAt: new Date('2026-01-01T10:00:00Z') } as const
  const earlier = await givenBid(id, { ...stood, startedAt: new Date('2026-01-01T09:00:00Z') })
  const later = await givenBid(id, { ...stood, placedAt: new Date('2026-01-02T10:00:00Z') })
  expect((await getInternal(`/internal/auctions/${id}`)).bids).toMatchObject([
    { orderId: later.orderId, stoodAt: '2026-01-02T10:00:00.000Z' },
    { orderId: earlier.orderId, stoodAt: '2026-01-01T10:00:00.000Z' },
  ])
})

test('an operator voids an auction, which ends its bids and is recorded; one that is decided stays', async () => {
  const work = await givenWork()
  const id = await givenAuction(work.itemId)
  const { orderId } = await givenBid(id)
  const voidOf = (auctionId: string) => post(`/internal/auctions/${auctionId}/void`, { reason: 'asked for by mail' })

  expect((await voidOf(id)).status).toBe(200)
  expect(await getInternal(`/internal/auctions/${id}`)).toMatchObject({
    auction: { state: 'void', why: 'operator' },
    bids: [{ orderId, state: 'ended' }],
  })
  const audit = await db.selectFrom('auditLog').selectAll().where('subject', '=', id).execute()
  expect(audit).toMatchObject([{ action: 'void-auction', reason: 'asked for by mail' }])

  const ends = { endsAt: new Date(), latestEndAt: new Date(), leaderOrder: orderId, priceCents: 5_000 }
  const sold = await givenAuction((await givenWork()).itemId, { ...over, ...ends, state: 'sold' })
  expect(await voidOf(sold)).toMatchObject({ status: 409, body: { code: 'auction_decided' } })
  expect((await voidOf(randomUUID())).status).toBe(404)
})

test('metrics have the number of open auctions, and for how long the oldest is past its end', async () => {
  const endsAt = new Date(Date.now() - 500_000)
  const work = await givenWork()
  // While the work is locked, the worker cannot decide it.
  const lock = await db.startTransaction().execute()
  await lock.selectFrom('item').select('id').where('id', '=', work.itemId).forNoKeyUpdate().execute()
  await db
    .insertInto('auction')
    .values({ itemId: work.itemId, sellerId: seller.userId, openingCents: 5_000, hours: 1 })
    .execute()
  await db.updateTable('auction').set({ endsAt, latestEndAt: endsAt }).where('itemId', '=', work.itemId).execute()
  const open = await db.selectFrom('auction').select('id').where('state', '=', 'open').execute()

  const text = await (await fetch(`${internalUrl}/metrics`)).text()
  await lock.rollback().execute()

  const metric = (name: string) => Number(text.match(new RegExp(`^${name}(?:\\{.*\\})? (.*)$`, 'm'))?.[1])
  expect(metric('nifty_auctions_open')).toBe(open.length)
  expect(metric('nifty_auctions_overdue_seconds')).toBeGreaterThanOrEqual(500)
})
