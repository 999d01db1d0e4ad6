import { randomUUID } from 'node:crypto'
import { auctionNews } from '@nifty/events/catalog'
import { MAX_NEWS_ACCOUNTS } from '@nifty/events/shapes'
import type { Insertable } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../db.ts'
import { startTestCatalog } from '../testing.ts'

const { db, givenAccount, givenItem } = await startTestCatalog()
const seller = await givenAccount({ admin: true, firstName: 'Grace', lastName: 'Hopper' })

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000)
const runsFor = (hours: number) => ({ endsAt: inHours(hours), latestEndAt: inHours(hours + 24) })

/** A work that an account and its seller marked, on auction. */
async function givenAuction(changes: Partial<Insertable<Database['auction']>> = {}, fans = [randomUUID()]) {
  const { itemId } = await givenItem(seller.userId, { priceCents: null })
  const marks = [seller.userId, ...fans].map((userId) => ({ userId, itemId }))
  await db.insertInto('favourite').values(marks).execute()
  const { id } = await db
    .insertInto('auction')
    .values({ itemId, sellerId: seller.userId, openingCents: 5_000, hours: 24, ...changes })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, itemId, fans }
}

/** What was published about an auction, once nothing is left to publish. */
async function newsOf({ id, itemId }: { id: string; itemId: string }, count: number) {
  const published = () =>
    db.selectFrom('auctionNews').select('what').where('auctionId', '=', id).where('published', '=', true).execute()
  await expect.poll(published).toHaveLength(count)
  const events = db.selectFrom('outbox').select('data').where('name', '=', auctionNews.name).where('key', '=', itemId)
  return (await events.orderBy('seq').execute()).map(({ data }) => data as any)
}

test('the accounts that marked a work read once that its auction began, and once that it ends within the hour', async () => {
  const auction = await givenAuction()
  const began = { auctionId: auction.id, what: 'began', priceCents: 5_000, endsAt: null, artist: 'Grace Hopper' }
  expect(await newsOf(auction, 1)).toMatchObject([{ ...began, userIds: auction.fans }])

  const ends = { ...runsFor(0.9), priceCents: 9_000, leaderOrder: randomUUID() }
  await db.updateTable('auction').set(ends).where('id', '=', auction.id).execute()
  const both = await newsOf(auction, 2)
  expect(both).toMatchObject([began, { what: 'ends', priceCents: 9_000, endsAt: ends.endsAt.toISOString() }])

  // Late bids move the end.
  await db.updateTable('auction').set(runsFor(0.95)).where('id', '=', auction.id).execute()
  const next = await givenAuction()
  await newsOf(next, 1)
  expect(await newsOf(auction, 2)).toHaveLength(2)
})

/** Bids that were outbid, that led until their hold was lost, that were not paid, and one that leads. */
async function givenBids(auctionId: string, leaderOrder: string) {
  const stood = { stoodAt: new Date(), priceCents: 9_000 }
  const bid = (changes: object) => ({
    auctionId,
    orderId: randomUUID(),
    bidderId: randomUUID(),
    limitCents: 9_000,
    ...changes,
  })
  const bids = {
    outbid: bid({ state: 'ended', why: 'outbid', ...stood }),
    lost: bid({ state: 'ended', why: 'hold_lost', withdrawn: true, ...stood }),
    unpaid: bid({ state: 'started' }),
    leader: bid({ orderId: leaderOrder, state: 'leading', ...stood }),
  }
  await db.insertInto('bid').values(Object.values(bids)).execute()
  return bids
}

test('who bid reads once that the auction ends within the hour, also where the work is a favourite', async () => {
  const ending = { ...runsFor(0.9), priceCents: 9_000, leaderOrder: randomUUID() }
  const auction = await givenAuction({ ...ending, startsAt: inHours(-23) }, [])
  const { outbid, leader } = await givenBids(auction.id, ending.leaderOrder)
  await db.insertInto('favourite').values({ userId: outbid.bidderId, itemId: auction.itemId }).execute()

  const news = await newsOf(auction, 2)

  const ends = news.filter(({ what }) => what === 'ends')
  expect(ends).toMatchObject([{ bidders: { leaderId: leader.bidderId }, priceCents: 9_000 }])
  expect(ends[0].userIds.toSorted()).toEqual([outbid.bidderId, leader.bidderId].toSorted())
})

test('the bidders of an auction of an hour, whose clock the first bid started, read nothing', async () => {
  const ending = { ...runsFor(0.9), hours: 1, priceCents: 9_000, leaderOrder: randomUUID() }
  const auction = await givenAuction(ending)
  await givenBids(auction.id, ending.leaderOrder)
  const news = await newsOf(auction, 2)
  expect(news.map(({ userIds }) => userIds)).toEqual([auction.fans, auction.fans])
})

test('an announced auction is news when it begins, and one of an hour is not news twice', async () => {
  const announced = await givenAuction({ startsAt: inHours(2), ...runsFor(26) })
  const short = await givenAuction({ startsAt: inHours(-0.5), hours: 1, ...runsFor(0.5) })
  expect(await newsOf(short, 1)).toMatchObject([{ what: 'began' }])
  expect(await newsOf(announced, 0)).toEqual([])

  await db
    .updateTable('auction')
    .set({ startsAt: inHours(-1) })
    .where('id', '=', announced.id)
    .execute()
  expect(await newsOf(announced, 1)).toMatchObject([{ what: 'began' }])
  expect(await newsOf(short, 1)).toHaveLength(1)
})

test('an auction that is over when its news is published is no news', async () => {
  const { id, itemId } = await givenAuction({ state: 'cancelled', endedAt: new Date() })
  await db.insertInto('auctionNews').values({ auctionId: id, what: 'began' }).execute()
  expect(await newsOf({ id, itemId }, 1)).toEqual([])
})

test('more accounts than fit into one event are told in several, each account once', async () => {
  const fans = Array.from({ length: MAX_NEWS_ACCOUNTS + 1 }, () => randomUUID())
  const news = await newsOf(await givenAuction({}, fans), 1)
  expect(news.map(({ userIds }) => userIds.length)).toEqual([MAX_NEWS_ACCOUNTS, 1])
  expect(new Set(news.flatMap(({ userIds }) => userIds))).toEqual(new Set(fans))
})
