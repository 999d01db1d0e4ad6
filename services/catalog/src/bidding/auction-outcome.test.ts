import { randomUUID } from 'node:crypto'
import { accountChanged } from '@nifty/events/auth'
import { deliveryFinal } from '@nifty/events/minting'
import { bidReleased, orderLineReleased } from '@nifty/events/payments'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, orderFor, txHash, wallet } from '../testing.ts'
import { isAuctionDue } from './due-auctions.actions.ts'
import { DAY_MS, inMs, startTestBidding } from './testing.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const catalog = await startTestBidding()
const { begin, place, withdraw, limitOn, givenAuction, givenPage, givenBid, auctionOf, bidState, endIn, setClockSeen } =
  catalog
const { startAuction, cancelAuction, lockWork, get, post, consume, givenAccount, moveToken, published, runJob } =
  catalog
const { peers, seller, db } = catalog

type Auctioned = Awaited<ReturnType<typeof givenAuction>>
type Bid = Awaited<ReturnType<typeof givenBid>>

const line = ({ itemId, token }: Auctioned, { orderId, buyerId }: Bid) => ({
  orderId,
  lineId: randomUUID(),
  itemId,
  token,
  name: 'Dusk',
  buyerId,
  sellerId: seller.userId,
  priceCents: 1_000,
  at,
})
/** Consumes an event twice: the second time is harmless. */
async function consumeTwice(message: Parameters<typeof consume>[0]) {
  await consume(message)
  await consume(message)
}
const deliver = (item: Auctioned, bid: Bid, hash = txHash()) =>
  consumeTwice(messageOf(deliveryFinal, { ...line(item, bid), wallet: wallet(), txHash: hash, block: 1 }))
/** The clock of payments is ahead. */
const aheadAt = inMs(HOUR_MS)
const releaseLine = (item: Auctioned, bid: Bid) => {
  const released = { ...line(item, bid), reason: 'undeliverable', moneyWasHeld: true, at: aheadAt }
  return consumeTwice(messageOf(orderLineReleased, released as never))
}
const releaseBid = ({ itemId }: Auctioned, { orderId }: Bid, why: string) =>
  consumeTwice(messageOf(bidReleased, { orderId, itemId, lineId: randomUUID(), kind: 'bid', why, at: aheadAt }))

const outcomes = async ({ orderId }: { orderId: string }) =>
  (await published(orderId))
    .filter(({ name }) => name === 'catalog.bid-ended.v1')
    .map(({ outcome, why }: any) => why ?? outcome)
/** The published events of the work. */
const namesOf = async ({ itemId }: { itemId: string }) =>
  (await published(itemId)).map(({ name, outcome, reason }: any) => [name, outcome ?? reason].filter(Boolean).join(' '))
const historyOf = async ({ id }: { id: string }) =>
  (await get(`/api/auctions/${id}/bids`)).bids.map(({ price, withdrawn }: any) => (withdrawn ? 'withdrawn' : price))

const listed = 'catalog.item-listed.v1'
const delisted = 'catalog.item-delisted.v1'
const received = 'catalog.auction-bid-received.v1'
const ended = 'catalog.auction-ended.v1'

/** An auction that is decided, with its winner. */
/** `secondCents`: the second-highest bid. */
async function givenAward(where: { inWallet?: string } = {}, secondCents?: number) {
  const item = await givenAuction({}, where)
  if (secondCents !== undefined) await givenBid(item, secondCents)
  const bid = await givenBid(item, 5_000)
  await endIn(item, -1)
  await runJob('auctions')
  return { item, bid }
}

test('the leader wins at the end, and the work is reserved for it at the price', async () => {
  const item = await givenAuction()
  const [low, bid, page] = [await givenBid(item, 2_000), await givenBid(item, 5_000), await givenPage(item, 4_000)]
  await endIn(item, -181_000)
  await runJob('auctions')

  const { id: auctionId, state, priceCents, leaderOrder } = await auctionOf(item)
  expect({ state, priceCents, leaderOrder }).toEqual({
    state: 'awarded',
    priceCents: 2_100,
    leaderOrder: bid.orderId,
  })
  const won = { state: 'won', priceCents: 2_100, why: null, decideBy: null, auctionId }
  expect([(await place(bid)).body, (await withdraw(bid)).body]).toEqual([won, won])
  expect([await outcomes(low), await outcomes(bid), await outcomes(page)]).toEqual([['outbid'], ['won'], ['too_late']])
  expect(await get(item.page)).toMatchObject({ reserved: true, price: 21, auction: { outcome: 'awarded', price: 21 } })
  expect(await namesOf(item)).toEqual([listed, received, `${ended} awarded`])
  expect((await published(item.itemId)).at(-1)).toMatchObject({ auctionId: item.id, priceCents: 2_100, bids: 2 })
  expect((await post('/internal/reservations', orderFor([{ ...item, priceCents: 2_100 }]))).body.code).toBe(
    'on_auction',
  )
  expect((await begin(limitOn(item, 6_000))).body.code).toBe('auction_closed')
  expect((await startAuction(item, { opening: 30 })).body.code).toBe('on_auction')
})

test('of two workers that find the end of an auction one decides it', async () => {
  const item = await givenAuction()
  const bid = await givenBid(item, 5_000)
  const lock = await lockWork(item)
  await endIn(item, -1)
  const jobs = [runJob('auctions'), runJob('auctions')]
  await waitForBlockedQuery(db, { count: 2, except: '%auction_clock%' }).finally(() => lock.commit().execute())
  await Promise.all(jobs)
  expect([await bidState(bid), await outcomes(bid)]).toEqual(['won', ['won']])
  expect(await namesOf(item)).toEqual([listed, received, `${ended} awarded`])
})

test('without a bid that stood the auction ends unsold, and the work is free', async () => {
  const item = await givenAuction({ startsAt: inMs(HOUR_MS) })
  await endIn(item, -1)
  await runJob('auctions')
  expect(await get(item.page)).toMatchObject({ reserved: false, forSale: false, auction: { outcome: 'unsold' } })
  expect(await namesOf(item)).toEqual([listed, `${ended} unsold`, `${delisted} owner`])
  expect((await startAuction(item)).status).toBe(200)
})

test.each<[string, (item: Auctioned) => Promise<unknown>]>([
  [
    'ended unsold',
    async (item) => {
      await endIn(item, -1)
      await runJob('auctions')
    },
  ],
  ['was cancelled', (item) => cancelAuction(item)],
])('after an auction that %s, the next one of a work in a wallet needs a newer permit', async (_what, end) => {
  const item = await givenAuction({}, { inWallet: wallet() })
  await end(item)
  const { at: endedAt } = (await published(item.itemId)).at(-1) as any
  expect((await startAuction(item)).status).toBe(200)
  expect(peers.requests.at(-1)!.tokens[0]).toMatchObject({ token: item.token, permittedSince: endedAt })
})

test.each<[string, string, (item: Auctioned, bid: Bid) => Promise<void>, string[]]>([
  ['its delivery fails', 'undeliverable', releaseLine, ['won']],
  ['its hold is lost', 'hold_lost', (item, bid) => releaseBid(item, bid, 'hold_lost'), ['won', 'hold_lost']],
])('the auction of a won bid fails when %s, and the work is free', async (_what, why, release, expected) => {
  const { item, bid } = await givenAward()

  await release(item, bid)

  expect(await auctionOf(item)).toMatchObject({ state: 'failed', why, endedAt: expect.any(Date) })
  expect([await bidState(bid), await outcomes(bid)]).toEqual(['ended: failed', expected])
  expect((await place(bid)).body).toMatchObject({ state: 'ended', priceCents: null, why: 'failed', decideBy: null })
  expect((await begin(bid)).body.code).toMatch(/^order_/)
  expect(await get(item.page)).toMatchObject({ reserved: false, forSale: false, auction: { outcome: 'failed' } })
  expect(await namesOf(item)).toEqual([listed, received, `${ended} awarded`, `${delisted} owner`, `${ended} failed`])
  expect((await startAuction(item)).status).toBe(200)
  await release(item, bid)
  expect(await auctionOf(item)).toMatchObject({ state: 'open', bids: 0 })
})

test.each<[string, (item: Auctioned, bid: Bid) => Promise<void>]>([
  ['its delivery fails', releaseLine],
  ['its hold is lost', (item, bid) => releaseBid(item, bid, 'hold_lost')],
])('a won work has its opening price again when %s', async (_what, fail) => {
  const item = await givenAuction()
  await givenBid(item, 2_000)
  const bid = await givenBid(item, 5_000)
  await endIn(item, -1)
  await runJob('auctions')
  expect(await get(item.page)).toMatchObject({ price: 21 })
  await fail(item, bid)
  expect(await get(item.page)).toMatchObject({ price: 10, reserved: false })
})

test.each([
  ['before', true],
  ['after', false],
])('a won work is sold when its move is consumed %s the delivery', async (_what, isMovedFirst) => {
  const { item, bid } = await givenAward({ inWallet: wallet() })
  const hash = txHash()
  const owner = await givenAccount({ userId: bid.buyerId, admin: true })
  const move = async () => {
    await moveToken(item, { ownerId: bid.buyerId, wallet: bid.buyerWallet, txHash: hash })
    await moveToken(item, { ownerId: bid.buyerId, wallet: bid.buyerWallet, txHash: hash })
  }

  if (isMovedFirst) {
    await move()
    expect(await auctionOf(item)).toMatchObject({ state: 'awarded' })
    await deliver(item, bid, hash)
  } else {
    await deliver(item, bid, hash)
    expect(await auctionOf(item)).toMatchObject({ state: 'sold' })
    await move()
  }

  expect(await auctionOf(item)).toMatchObject({ state: 'sold', priceCents: 1_000, endedAt: expect.any(Date) })
  expect((await place(bid)).body).toMatchObject({ state: 'won', priceCents: 1_000 })
  expect(await outcomes(bid)).toEqual(['won'])
  const page = await get(item.page)
  expect(page).toMatchObject({ reserved: false, forSale: false, price: 10, owner: { username: owner.username } })
  expect(page.history.filter(({ what }: any) => what === 'sold')).toMatchObject([{ price: 10, txHash: hash }])
  expect(await namesOf(item)).toEqual([listed, received, `${ended} awarded`, `${delisted} sold`])
  expect((await startAuction(item, { opening: 20 }, { userId: bid.buyerId })).status).toBe(200)
  await deliver(item, bid, hash)
  expect(await get(item.page)).toMatchObject({ auction: { outcome: null, opening: 20 } })
})

test('a won work whose token moves elsewhere stays reserved until its order is released', async () => {
  const { item, bid } = await givenAward({}, 3_000)
  expect(await get(item.page)).toMatchObject({ price: 32 })
  await moveToken(item, { ownerId: (await givenAccount()).userId, wallet: wallet() })
  expect(await auctionOf(item)).toMatchObject({ state: 'awarded' })
  expect((await place(bid)).body.state).toBe('won')
  expect(await get(item.page)).toMatchObject({ reserved: true })
  await releaseLine(item, bid)
  expect(await auctionOf(item)).toMatchObject({ state: 'failed', why: 'undeliverable' })
  expect(await get(item.page)).toMatchObject({ reserved: false, price: 10 })
  expect((await namesOf(item)).filter((name) => name.startsWith(delisted))).toEqual([`${delisted} undeliverable`])
})

test('an award survives the hiding of its work and the suspension of its seller, which asks payments to stop', async () => {
  const owner = await givenAccount({ admin: true })
  const item = await catalog.givenItem(owner.userId, { priceCents: null })
  await startAuction(item, {}, { userId: owner.userId })
  const { id } = await auctionOf(item)
  const bid = await givenBid(item, 5_000)
  await endIn({ id }, -1)
  await runJob('auctions')
  await post(`/internal/items/${item.itemId}/hide`, { reason: 'a report' })
  await consume(messageOf(accountChanged, { ...owner, version: 2, suspended: true }))
  expect([(await auctionOf(item)).state, await bidState(bid)]).toEqual(['awarded', 'won'])
  expect((await published(item.itemId)).at(-1)).toMatchObject({
    name: 'catalog.delist-requested.v1',
    orderId: bid.orderId,
    suspended: true,
  })
})

test.each(['hold_lost', 'operator'])(
  'an auction whose leader is lost is open again at its opening price: %s',
  async (why) => {
    const item = await givenAuction()
    const [first, leader] = [await givenBid(item, 2_000), await givenBid(item, 5_000)]
    await givenPage(item, 9_000)
    await endIn(item, 600_000)
    const { latestEndAt } = await auctionOf(item)

    await releaseBid(item, leader, why)

    const auction = await auctionOf(item)
    expect(auction).toMatchObject({ state: 'open', leaderOrder: null, priceCents: null, latestEndAt })
    expect(auction.endsAt!.getTime() - Date.now()).toBeGreaterThan(HOUR_MS - 60_000)
    expect([await bidState(first), await bidState(leader)]).toEqual(['ended: outbid', `ended: ${why}`])
    expect(await outcomes(leader)).toEqual([why])
    expect((await published(leader.orderId)).at(-1)).toMatchObject({
      wasHeld: true,
      auction: { auctionId: item.id, priceCents: null, endsAt: auction.endsAt!.toISOString() },
    })
    expect((await published(item.itemId)).filter(({ what }: any) => what === 'reopened')).toMatchObject([
      { what: 'reopened', priceCents: 1_000, endsAt: auction.endsAt!.toISOString(), userIds: [first.buyerId] },
    ])
    expect(await get(item.page)).toMatchObject({ price: 10, auction: { price: null, minimum: 10, outcome: null } })
    expect(await historyOf(item)).toEqual(['withdrawn', 10])
    expect((await place(leader)).body).toMatchObject({ state: 'ended', why })

    const next = await givenBid(item, 1_000)
    expect([await bidState(next), (await auctionOf(item)).priceCents]).toEqual(['leading', 1_000])
    expect((await published(item.itemId)).filter(({ name }) => name === received)).toHaveLength(1)
    await releaseBid(item, leader, why)
    expect(await bidState(next)).toBe('leading')
  },
)

test('an end further than an hour away stays when the leader is lost, and none moves beyond the latest end', async () => {
  const item = await givenAuction()
  await endIn(item, 5 * HOUR_MS)
  const leader = await givenBid(item, 5_000)
  await endIn(item, 5 * HOUR_MS)
  const { endsAt } = await auctionOf(item)
  await releaseBid(item, leader, 'hold_lost')
  expect((await auctionOf(item)).endsAt).toEqual(endsAt)

  const second = await givenBid(item, 5_000)
  await endIn(item, 60_000, { latestIn: 120_000 })
  await releaseBid(item, second, 'hold_lost')
  const last = await auctionOf(item)
  expect(last.endsAt).toEqual(last.latestEndAt)
})

test.each([
  ['unpaid', 'not_held', false],
  ['whose hold was lost before it stood', 'hold_lost', true],
])('a page that payments ends %s changes nothing for the leader', async (_what, why, wasHeld) => {
  const item = await givenAuction()
  const [leader, page] = [await givenBid(item, 2_000), await givenPage(item, 5_000)]
  const before = await auctionOf(item)
  await releaseBid(item, page, why)
  expect([await bidState(page), await bidState(leader)]).toEqual([`ended: ${why}`, 'leading'])
  expect(await auctionOf(item)).toEqual(before)
  expect(await published(page.orderId)).toMatchObject([{ why, wasHeld }])
})

test.each([
  ['passed during it', -2 * MINUTE_MS],
  ['comes less than 15 minutes after it', 5 * MINUTE_MS],
])('an end moves to 15 minutes after an outage that %s, and the latest end stays', async (_what, ms) => {
  const item = await givenAuction()
  const leader = await givenBid(item, 5_000)
  await endIn(item, ms)
  const before = await auctionOf(item)
  await setClockSeen(-10 * MINUTE_MS)
  await runJob('auctions')

  const { endsAt, ...auction } = await auctionOf(item)
  expect(auction).toEqual(expect.objectContaining({ state: 'open', latestEndAt: before.latestEndAt }))
  expect(endsAt!.getTime() - Date.now()).toBeGreaterThan(14 * MINUTE_MS)
  expect(endsAt!.getTime() - Date.now()).toBeLessThanOrEqual(15 * MINUTE_MS)
  expect(await bidState(leader)).toBe('leading')
})

test('after an outage bids are taken at once, before the worker has moved the end', async () => {
  const item = await givenAuction()
  await givenBid(item, 5_000)
  // In one transaction, so that the worker sees both.
  await db.transaction().execute(async (trx) => {
    await trx
      .updateTable('auctionClock')
      .set({ seenAt: inMs(-10 * MINUTE_MS) })
      .execute()
    const times = { endsAt: inMs(-5 * MINUTE_MS), latestEndAt: inMs(HOUR_MS) }
    await trx.updateTable('auction').set(times).where('id', '=', item.id).execute()
  })
  const bid = limitOn(item, 9_000)
  expect((await place(await givenPage(item, 7_000))).body.state).toBe('open')
  expect((await begin(bid)).status).toBe(200)
  expect((await auctionOf(item)).endsAt!.getTime() - Date.now()).toBeGreaterThan(14 * MINUTE_MS)
})

test('an outage moves no end beyond the latest one, none further away, and none from before it', async () => {
  const [late, far, past] = [await givenAuction(), await givenAuction(), await givenAuction()]
  for (const item of [late, far, past]) await givenBid(item, 5_000)
  await endIn(late, -2 * MINUTE_MS, { latestIn: 3 * MINUTE_MS })
  await endIn(far, 20 * MINUTE_MS)
  const lateEnd = (await auctionOf(late)).latestEndAt
  const farEnd = (await auctionOf(far)).endsAt
  await endIn(past, -11 * MINUTE_MS)
  await setClockSeen(-10 * MINUTE_MS)
  await runJob('auctions')
  expect((await auctionOf(late)).endsAt).toEqual(lateEnd)
  expect((await auctionOf(far)).endsAt).toEqual(farEnd)
  expect(await auctionOf(past)).toMatchObject({ state: 'awarded' })
})

test('an outage moves no end of an auction that is decided', async () => {
  const { item, bid } = await givenAward()
  const before = await auctionOf(item)
  await setClockSeen(-10 * MINUTE_MS)
  expect((await place(bid)).body.state).toBe('won')
  expect(await auctionOf(item)).toEqual(before)
})

test.each<[string, { seen?: number; ends?: number; started?: number }, boolean]>([
  ['is not due before', {}, false],
  ['is due when the worker has not stored for ten seconds that it runs', { seen: -11_000 }, true],
  ['is due when an end and its grace are over', { ends: -181_000 }, true],
  ['is due when a bid was not held within an hour', { started: -HOUR_MS }, true],
])('the job of auctions %s', async (_when, { seen = -5_000, ends = HOUR_MS, started = -59 * MINUTE_MS }, isDue) => {
  const item = await givenAuction()
  await givenBid(item, 5_000)
  await givenPage(item, 6_000)
  // Of all auctions, and before the job of the service sees it, whose first lock is that of the clock, too.
  const trx = await db.startTransaction().execute()
  const seenAt = inMs(seen)
  await trx.updateTable('auctionClock').set({ seenAt }).execute()
  const times = { endsAt: inMs(ends), latestEndAt: inMs(ends + DAY_MS) }
  await trx.updateTable('auction').set(times).where('state', '=', 'open').where('endsAt', 'is not', null).execute()
  const startedAt = new Date(Date.now() + started)
  await trx.updateTable('bid').set({ startedAt }).where('state', '=', 'started').execute()
  expect(await isAuctionDue(trx).finally(() => trx.rollback().execute())).toBe(isDue)
})
