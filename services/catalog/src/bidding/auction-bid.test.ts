import { randomUUID } from 'node:crypto'
import { bidReleased } from '@nifty/events/payments'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { at, orderFor, wallet } from '../testing.ts'
import { DAY_MS, inMs, startTestBidding } from './testing.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const catalog = await startTestBidding()
const { begin, place, withdraw, limitOn, givenAuction, givenPage, givenBid, auctionOf, bidState, endIn } = catalog
const { startAuction, bidOn, givenOfferable, givenOffer, lockWork } = catalog
const { get, getInternal, post, consume, givenAccount, givenItem, published, peers, seller, runJob, db } = catalog

/** The worker takes the lock of its clock every ten seconds. */
const ofTest = { except: '%auction_clock%' }

const priceOf = async (item: { page: string }) => (await get(item.page)).price
const leaves = async (item: { itemId: string }) => (await auctionOf(item)).endsAt!.getTime() - Date.now()

test('the first bid leads at the opening price, and starts the clock', async () => {
  const item = await givenAuction()
  const bid = limitOn(item, 5_000)

  expect(await begin(bid)).toMatchObject({ status: 200, body: { line: { itemId: item.itemId, priceCents: 5_000 } } })
  expect(await auctionOf(item)).toMatchObject({ endsAt: null, bids: 0 })
  const { to, tokens } = peers.requests.at(-1)!
  expect([to, new Date(tokens[0]!.until!).getTime() - Date.now()]).toEqual([bid.buyerWallet, expect.any(Number)])
  expect(new Date(tokens[0]!.until!).getTime() - Date.now()).toBeGreaterThan(73.9 * HOUR_MS)

  const placed = (await place(bid)).body
  const auction = await auctionOf(item)
  const endsAt = auction.endsAt!.toISOString()
  expect(placed).toEqual({ state: 'open', priceCents: null, why: null, decideBy: null, auctionId: auction.id, endsAt })
  expect(auction).toMatchObject({ state: 'open', priceCents: 1_000, leaderOrder: bid.orderId, bids: 1 })
  expect(auction.latestEndAt!.getTime() - auction.endsAt!.getTime()).toBe(DAY_MS)
  expect(await leaves(item)).toBeGreaterThan(23.9 * HOUR_MS)
  expect(await bidState(bid)).toBe('leading')
  expect((await published(item.itemId)).at(-1)).toMatchObject({
    name: 'catalog.auction-bid-received.v1',
    sellerId: seller.userId,
    priceCents: 1_000,
    endsAt,
  })
})

test('a higher bid takes the lead, and the former one ends at once', async () => {
  const item = await givenAuction()
  const [low, high] = [await givenBid(item, 5_000), await givenBid(item, 9_000)]

  expect([await bidState(low), await bidState(high), await priceOf(item)]).toEqual(['ended: outbid', 'leading', 53])
  expect((await place(low)).body).toMatchObject({ state: 'ended', priceCents: null, why: 'outbid', decideBy: null })
  expect(await published(low.orderId)).toMatchObject([
    {
      name: 'catalog.bid-leads.v1',
      auctionId: item.id,
      buyerId: low.buyerId,
      ownerId: seller.userId,
      latestEndAt: (await auctionOf(item)).latestEndAt!.toISOString(),
    },
    {
      name: 'catalog.bid-ended.v1',
      kind: 'bid',
      outcome: 'lost',
      why: 'outbid',
      wasHeld: true,
      priceCents: 5_000,
      buyerId: low.buyerId,
      ownerId: seller.userId,
      auction: { auctionId: item.id, priceCents: 5_300 },
    },
  ])
  const received = (await published(item.itemId)).filter(({ name }) => name === 'catalog.auction-bid-received.v1')
  expect(received).toHaveLength(1)
})

test('a lower bid raises the price, and of equal ones the earlier leads', async () => {
  const item = await givenAuction()
  const leader = await givenBid(item, 5_000)
  const lower = await givenBid(item, 3_000)
  expect([await bidState(leader), await bidState(lower), await priceOf(item)]).toEqual(['leading', 'ended: outbid', 32])
  const equal = await givenBid(item, 5_000)
  expect([await bidState(leader), await bidState(equal), await priceOf(item)]).toEqual(['leading', 'ended: outbid', 50])
  expect(await auctionOf(item)).toMatchObject({ bids: 3, leaderOrder: leader.orderId })
})

test('the raise of an own limit is invisible, and ends the former bid', async () => {
  const item = await givenAuction()
  const leader = await givenBid(item, 5_000)
  const [before, page] = [await auctionOf(item), await get(item.page)]
  const more = { buyerId: leader.buyerId }
  expect(await begin(limitOn(item, 5_000, more))).toMatchObject({
    status: 409,
    body: { code: 'too_low', details: { minimum: 50.01 } },
  })
  const lower = await givenPage(item, 6_000, more)
  const raised = await givenBid(item, 7_000, more)
  expect([await bidState(leader), await bidState(raised)]).toEqual(['ended: raised', 'leading'])
  expect(await bidState(lower)).toBe('ended: too_low')
  expect(await published(raised.orderId)).toMatchObject([{ name: 'catalog.bid-leads.v1', buyerId: leader.buyerId }])
  expect(await auctionOf(item)).toEqual({ ...before, leaderOrder: raised.orderId })
  expect(await get(item.page)).toEqual(page)
  const history = await db
    .selectFrom('bid')
    .select('orderId')
    .where('auctionId', '=', item.id)
    .where('stoodAt', 'is not', null)
  expect(await history.execute()).toEqual([{ orderId: raised.orderId }])
  // Operators read when each began and stood, in this sequence.
  const { bids } = await getInternal(`/internal/auctions/${item.id}`)
  const stood = bids.filter(({ orderId }: { orderId: string }) => orderId !== lower.orderId)
  expect(stood.map(({ orderId }: { orderId: string }) => orderId)).toEqual([raised.orderId, leader.orderId])
  const times = stood.toReversed().flatMap(({ startedAt, stoodAt }: Record<string, string>) => [startedAt, stoodAt])
  expect(times).toEqual(times.toSorted())
  await givenBid(item, 6_000)
  expect([await bidState(raised), await priceOf(item)]).toEqual(['leading', 63])
})

test('a page closes once its bid is too low', async () => {
  const item = await givenAuction()
  const [low, high] = [await givenPage(item, 1_500), await givenPage(item, 4_000)]
  await givenBid(item, 3_000)
  await givenBid(item, 2_000)
  expect([await bidState(low), await bidState(high)]).toEqual(['ended: too_low', 'started'])
  expect(await published(low.orderId)).toMatchObject([{ why: 'too_low', wasHeld: false }])
  expect((await place(low)).body.why).toBe('too_low')
})

test('a repeated request has the same response, and publishes nothing more', async () => {
  const item = await givenAuction()
  const bid = limitOn(item, 5_000)
  expect(await begin(bid)).toEqual(await begin(bid))
  const placed = await place(bid)
  expect([await place(bid), await place(bid, null)]).toEqual([placed, placed])
  expect(await auctionOf(item)).toMatchObject({ bids: 1 })
  for (const differing of [{ limitCents: 5_100 }, { buyerId: randomUUID() }, { buyerWallet: null }])
    expect((await begin({ ...bid, ...differing })).body.code).toBe('order_differs')
  const other = await givenAuction()
  expect((await begin({ ...bid, itemId: other.itemId })).body.code).toBe('order_differs')
  expect((await begin({ ...bid, kind: 'offer', days: 3 })).status).toBe(409)
})

const own = wallet()
test.each<[string, (item: { id: string; itemId: string }) => Promise<object>, number, string]>([
  ['its seller', async () => ({ buyerId: seller.userId }), 403, 'own_item'],
  [
    "its seller's wallet",
    async () => ({ buyerWallet: seller.wallet!.toUpperCase().replace('0X', '0x') }),
    403,
    'own_item',
  ],
  ['the wallet that holds it', async () => ({ buyerWallet: own }), 403, 'own_item'],
  ['less than the opening price', async () => ({ limitCents: 999 }), 409, 'too_low'],
  ['more than ten times the price', async () => ({ limitCents: 10_001 }), 409, 'unusual_amount'],
  ['an unknown work', async () => ({ itemId: randomUUID() }), 404, 'item_not_found'],
  ['an auction whose end has come', (item) => endIn(item, -1).then(() => ({})), 409, 'auction_closed'],
  ['a cancelled auction', (item) => catalog.cancelAuction(item).then(() => ({})), 409, 'auction_closed'],
])('a bid of %s is refused', async (_what, change, status, code) => {
  const item = await givenAuction({}, { inWallet: own })
  const bid = limitOn(item, 5_000, await change(item))
  expect(await begin(bid)).toMatchObject({ status, body: { code } })
  expect(await place(bid)).toMatchObject({ status: 404, body: { code: 'bid_not_found' } })
})

test.each<[string, string, (item: { id: string; itemId: string }) => Promise<unknown>]>([
  // A bid that is under way keeps the worker from deciding.
  ['ends', 'auction_closed', (item) => givenPage(item, 6_000).then(() => endIn(item, -1))],
  ['gets two bids as high', 'too_low', (item) => givenBid(item, 5_000).then(() => givenBid(item, 5_000))],
  ['is contested', 'work_contested', ({ itemId }) => contest(itemId)],
])('a bid does not begin when its auction %s while minting is asked', async (_what, code, change) => {
  const item = await givenAuction()
  peers.whileMintingIsAsked(() => change(item))
  const bid = limitOn(item, 5_000)
  expect(await begin(bid)).toMatchObject({ status: 409, body: { code } })
  expect((await place(bid)).body.code).toBe('bid_not_found')
})

/** The row alone: the event would end the auction as well. */
const contest = (itemId: string) =>
  db
    .insertInto('contestedLine')
    .values({ lineId: randomUUID(), itemId, buyerId: seller.userId, contested: true, at })
    .execute()

test('an order that payments has released begins no bid, and that of a purchase or an offer is none', async () => {
  const item = await givenAuction()
  const late = limitOn(item, 5_000)
  const { orderId, itemId } = late
  await consume(messageOf(bidReleased, { orderId, itemId, lineId: randomUUID(), kind: 'bid', why: 'not_held', at }))
  expect((await begin(late)).body.code).toBe('order_over')

  const purchase = orderFor([await givenItem(seller.userId)])
  expect((await post('/internal/reservations', purchase)).status).toBe(200)
  const [offered, offer] = [await givenOfferable(), await givenOffer(await givenOfferable())]
  for (const order of [purchase, offer])
    expect((await begin(limitOn(item, 5_000, { orderId: order.orderId }))).body.code).toBe('order_differs')
  const bid = await givenPage(item, 5_000)
  expect((await begin(bidOn(offered, { orderId: bid.orderId }))).body.code).toBe('order_differs')
})

test('a bid for a work of a seller who may not sell any more does not begin', async () => {
  const { userId } = await givenAccount({ admin: true })
  const item = await givenItem(userId, { priceCents: null })
  await startAuction(item, {}, { userId })
  await db.updateTable('account').set({ admin: false }).where('userId', '=', userId).execute()
  expect((await begin(limitOn(item, 5_000))).body.code).toBe('auction_closed')
})

test('an announced auction takes no bids before it starts', async () => {
  const item = await givenAuction({ startsAt: inMs(HOUR_MS) })
  expect((await begin(limitOn(item, 5_000))).body.code).toBe('auction_closed')
  await db
    .updateTable('auction')
    .set({ startsAt: inMs(-1) })
    .where('id', '=', item.id)
    .execute()
  const { endsAt } = await auctionOf(item)
  await givenBid(item, 5_000)
  expect(await auctionOf(item)).toMatchObject({ bids: 1, endsAt })
})

test('an unusual amount is taken once its bidder is sure', async () => {
  const item = await givenAuction()
  expect((await begin({ ...limitOn(item, 10_001), sure: true })).status).toBe(200)
})

test('a permit that does not last for a bid refuses that bid, and the auction goes on', async () => {
  const item = await givenAuction({}, { inWallet: wallet() })
  const leader = await givenBid(item, 5_000)
  const before = await auctionOf(item)
  peers.refusals.set(item.token, { code: 'permit_required', permit: {} })
  expect(await begin(limitOn(item, 6_000))).toMatchObject({ status: 409, body: { code: 'permit_too_short' } })
  expect([await auctionOf(item), await bidState(leader)]).toEqual([before, 'leading'])
  peers.refusals.delete(item.token)
  expect((await begin(limitOn(item, 6_000))).status).toBe(200)
})

test('later bids need no longer permit than the first one, which stands within an hour', async () => {
  const item = await givenAuction({}, { inWallet: wallet() })
  const asked = () => new Date(peers.requests.at(-1)!.tokens[0]!.until!).getTime()
  await givenBid(item, 5_000)
  const first = asked()
  await endIn(item, DAY_MS + 59 * MINUTE_MS)
  expect((await begin(limitOn(item, 6_000))).status).toBe(200)
  expect(first - asked()).toBeGreaterThan(0)
})

test.each(['not_owner', 'work_contested', 'gift_waits'])(
  'a work that minting refuses as %s ends its auction',
  async (code) => {
    const item = await givenAuction({}, { inWallet: wallet() })
    const bid = await givenPage(item, 5_000)
    peers.refusals.set(item.token, { code })
    expect((await begin(limitOn(item, 6_000))).body.code).toBe('not_for_sale')
    expect(await auctionOf(item)).toMatchObject({ state: 'void', why: 'undeliverable' })
    expect(await bidState(bid)).toBe('ended: void')
  },
)

test.each([
  ['null', null],
  ['a second too short', inMs(73 * HOUR_MS - 1_000)],
])('a hold that does not last for the delivery ends the bid: %s', async (_what, captureBefore) => {
  const bid = await givenPage(await givenAuction(), 5_000)
  expect((await place(bid, captureBefore)).body).toMatchObject({ state: 'ended', why: 'hold_too_short' })
  expect(await published(bid.orderId)).toMatchObject([{ why: 'hold_too_short', wasHeld: true }])
})

test('a bid is withdrawn while its page is open, and binding once it stands', async () => {
  const item = await givenAuction()
  const page = await givenPage(item, 5_000)
  expect((await withdraw(page)).body).toMatchObject({ state: 'ended', why: 'withdrawn' })
  expect((await withdraw(page)).body).toMatchObject({ state: 'ended', why: 'withdrawn' })
  expect((await begin(page)).body.code).toBe('order_over')
  const bid = await givenBid(item, 5_000)
  expect((await withdraw(bid)).body).toMatchObject({ state: 'open' })
  expect(await bidState(bid)).toBe('leading')
})

test('of two bids at one instant the higher leads, whichever is first', async () => {
  for (let round = 0; round < 20; round++) {
    const item = await givenAuction()
    const [low, high] = [await givenPage(item, 5_000), await givenPage(item, 9_000)]
    await Promise.all(round % 2 ? [place(low), place(high)] : [place(high), place(low)])
    expect([await bidState(low), await bidState(high), await priceOf(item)]).toEqual(['ended: outbid', 'leading', 53])
    expect(await auctionOf(item)).toMatchObject({ leaderOrder: high.orderId, bids: 2 })
  }
})

const orderIdsOf = (bids: { orderId: string }[]) => bids.map(({ orderId }) => orderId)
/** The prices, the latest first. */
const historyOf = async ({ id }: { id: string }) => {
  const { bids } = await get(`/api/auctions/${id}/bids`)
  return bids.map(({ price }: { price: number }) => price)
}

/**
 * Places bids in this sequence while something else has the lock of their work: the first one waits for it, and all
 * others for the first. Returns the promises of their responses.
 */
async function placeAtOnce(item: { itemId: string }, [first, ...others]: { orderId: string }[]) {
  const lock = await lockWork(item)
  try {
    const placed = [place(first!)]
    await waitForBlockedQuery(db, ofTest)
    placed.push(...others.map((bid) => place(bid)))
    // Bids are read in the sequence of their arrival: those before an unknown one have been read.
    expect((await place({ orderId: randomUUID() })).status).toBe(404)
    return placed
  } finally {
    await lock.commit().execute()
  }
}

test('bids that arrive together are decided in their sequence, in one transaction after that of the first', async () => {
  const item = await givenAuction()
  const limits = [2_000, 3_000, 9_000, 4_000, 4_000, 5_000, 1_000]
  const bids: Awaited<ReturnType<typeof givenPage>>[] = []
  for (const limit of limits) bids.push(await givenPage(item, limit))

  const repeated = { orderId: bids[0]!.orderId.toUpperCase() }
  const placed = await Promise.all(await placeAtOnce(item, [...bids, bids[2]!, repeated]))

  const whys = placed.map(({ body }) => body.why)
  expect(whys).toEqual([null, null, null, 'outbid', 'too_low', 'outbid', 'too_low', null, 'outbid'])
  expect(await auctionOf(item)).toMatchObject({ leaderOrder: bids[2]!.orderId, priceCents: 5_300, bids: 5 })
  const rows = db.selectFrom('bid').select(sql<string>`xmin::text`.as('transaction')).where('auctionId', '=', item.id)
  expect(new Set((await rows.execute()).map(({ transaction }) => transaction)).size).toBe(2)
  expect(await historyOf(item)).toEqual([53, 42, 32, 21, 10])
  // The second bid led only between two decisions of one transaction.
  const names = await Promise.all(
    bids.slice(0, 3).map(async (bid) => (await published(bid.orderId)).map(({ name }) => name)),
  )
  expect(names).toEqual([
    ['catalog.bid-leads.v1', 'catalog.bid-ended.v1'],
    ['catalog.bid-ended.v1'],
    ['catalog.bid-leads.v1'],
  ])
  // Of those whose decisions ended or led something: of the last one, and of the fifth, others had decided.
  const requests = db.selectFrom('outbox').select('correlationId').distinct()
  expect(await requests.where('key', 'in', orderIdsOf(bids)).execute()).toHaveLength(5)
})

test('the history is in the sequence of the decisions, whatever the clock has', async () => {
  const item = await givenAuction()
  await givenBid(item, 9_000)
  const { orderId } = await givenBid(item, 5_000)
  await db
    .updateTable('bid')
    .set({ stoodAt: inMs(MINUTE_MS) })
    .where('orderId', '=', orderId)
    .execute()
  await givenBid(item, 6_000)
  expect(await historyOf(item)).toEqual([63, 53, 10])
})

test.each([
  ['a bid that the database refuses does not fail those that arrive with it', '23514', [200, 500, 200]],
  ['bids that arrive together fail at once where the database does not respond in time', '57014', [200, 503, 503]],
])('%s', async (_what, sqlState, statuses) => {
  const item = await givenAuction()
  const bids = [await givenPage(item, 2_000), await givenPage(item, 4_000), await givenPage(item, 9_000)]
  const refused = bids[1]!
  const [refusal, isRefused] = [sql.raw(`raise sqlstate '${sqlState}'`), sql.raw(`new.order_id = '${refused.orderId}'`)]
  await sql`create function refuse() returns trigger language plpgsql as $$ begin ${refusal}; end $$`.execute(db)
  await sql`create trigger refuses_one before update on bid for each row when (${isRefused}) execute function refuse()`.execute(
    db,
  )
  try {
    const placed = await Promise.all(await placeAtOnce(item, bids))
    expect(placed.map(({ status }) => status)).toEqual(statuses)
  } finally {
    await sql`drop function refuse cascade`.execute(db)
  }
  expect((await place(bids[2]!)).body).toMatchObject({ state: 'open' })
  expect(await auctionOf(item)).toMatchObject({ leaderOrder: bids[2]!.orderId, priceCents: 2_100, bids: 2 })
  expect((await place(refused)).body).toMatchObject({ state: 'ended', why: 'outbid' })
})

test('a bid less than 15 minutes before the end moves it, never beyond the latest end', async () => {
  const item = await givenAuction()
  await givenBid(item, 2_000)
  await endIn(item, 20 * MINUTE_MS)
  await givenBid(item, 1_500)
  expect(await leaves(item)).toBeGreaterThan(19.5 * MINUTE_MS)
  await endIn(item, 10 * MINUTE_MS)
  const leader = await givenBid(item, 4_000)
  expect(await leaves(item)).toBeGreaterThan(14.5 * MINUTE_MS)
  await endIn(item, 10 * MINUTE_MS)
  await givenBid(item, 5_000, { buyerId: leader.buyerId })
  expect(await leaves(item)).toBeLessThan(10 * MINUTE_MS)
  await endIn(item, 5 * MINUTE_MS, { latestIn: 8 * MINUTE_MS })
  await givenBid(item, 4_500)
  const { endsAt, latestEndAt } = await auctionOf(item)
  expect(endsAt).toEqual(latestEndAt)
})

test.each([
  ['a second before the end', 1_000],
  ['at the end', 0],
  ['just before its grace is over', -175_000],
])('a bid counts that began before the end, and is held %s', async (_what, ms) => {
  const item = await givenAuction()
  const first = await givenBid(item, 2_000)
  const bid = await givenPage(item, 5_000)
  await endIn(item, ms)
  await runJob('auctions')
  expect(await auctionOf(item)).toMatchObject({ state: 'open' })
  expect((await place(bid)).body.state).toBe('open')
  expect([await bidState(first), await bidState(bid)]).toEqual(['ended: outbid', 'leading'])
  expect(await leaves(item)).toBeGreaterThan(14.5 * MINUTE_MS)
})

test.each([
  ['not reported', null, 'too_late'],
  ['after the grace', -500, 'too_late'],
  ['half a minute before the grace was over', -30_000, 'too_late'],
  ['a minute and a half after the end', -90_000, 'late_by_us'],
])('a bid that is placed after the grace is refused by when its bank confirmed it: %s', async (_what, heldMs, why) => {
  for (const isDecided of [false, true]) {
    const item = await givenAuction()
    const first = await givenBid(item, 2_000)
    const bid = await givenPage(item, 5_000)
    await endIn(item, -181_000)
    const heldAt = heldMs === null ? null : inMs(heldMs)
    if (isDecided) await runJob('auctions')
    const response = await place(bid, undefined, heldAt)
    expect(response.body).toMatchObject({ state: 'ended', why })
    expect(await place(bid, undefined, heldAt)).toEqual(response)
    await runJob('auctions')
    expect([await bidState(first), await bidState(bid)]).toEqual(['won', `ended: ${why}`])
    expect((await published(bid.orderId)).at(-1)).toMatchObject({ outcome: 'lost', why })
  }
})

test('a bid of a blocked account does not stand', async () => {
  const buyer = await givenAccount()
  const bid = await givenPage(await givenAuction(), 5_000, { buyerId: buyer.userId })
  await db.updateTable('account').set({ suspended: true }).where('userId', '=', buyer.userId).execute()
  expect((await place(bid)).body).toMatchObject({ state: 'ended', why: 'account' })
})

test('a bid waits for the suspension of its bidder that is stored at the moment its card is held', async () => {
  const [item, buyer] = [await givenAuction(), await givenAccount()]
  const bid = await givenPage(item, 5_000, { buyerId: buyer.userId })
  const lock = await db.startTransaction().execute()
  await lock.updateTable('account').set({ suspended: true }).where('userId', '=', buyer.userId).execute()
  const placed = place(bid)
  await waitForBlockedQuery(db, ofTest)
  await lock.commit().execute()
  expect((await placed).body).toMatchObject({ state: 'ended', why: 'account' })
  expect(await auctionOf(item)).toMatchObject({ leaderOrder: null, bids: 0, endsAt: null })
})

test('a bid that was not held within an hour ends, unless it is held while the worker waits for its work', async () => {
  const item = await givenAuction()
  const [bid, unheld] = [await givenPage(item, 5_000), await givenPage(item, 6_000)]
  const lock = await lockWork(item)
  const placed = place(bid)
  await waitForBlockedQuery(db, ofTest)
  for (const [{ orderId }, hours] of [[bid, 2] as const, [unheld, 1] as const]) {
    const startedAt = new Date(Date.now() - hours * HOUR_MS)
    await db.updateTable('bid').set({ startedAt }).where('orderId', '=', orderId).execute()
  }
  const job = runJob('auctions')
  await waitForBlockedQuery(db, { ...ofTest, count: 2 }).finally(() => lock.commit().execute())
  expect((await placed).body.state).toBe('open')
  await job
  expect([await bidState(bid), await bidState(unheld)]).toEqual(['leading', 'ended: not_held'])
})

test.each([
  ['in time', 59, 'late_by_us'],
  ['later', 61, 'not_held'],
])(
  'a bid that ended because its hold was not reported, and whose bank had confirmed it %s',
  async (_when, minutes, why) => {
    const bid = await givenPage(await givenAuction(), 5_000)
    const startedAt = new Date(Date.now() - 2 * HOUR_MS)
    await db.updateTable('bid').set({ startedAt }).where('orderId', '=', bid.orderId).execute()
    await runJob('auctions')
    expect(await bidState(bid)).toBe('ended: not_held')
    const heldAt = new Date(startedAt.getTime() + minutes * MINUTE_MS).toISOString()
    expect((await place(bid, undefined, heldAt)).body).toMatchObject({ state: 'ended', why })
    expect((await place(bid)).body).toMatchObject({ state: 'ended', why })
  },
)
