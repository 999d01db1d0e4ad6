import { randomUUID } from 'node:crypto'
import { bidReleased, orderLineAbandoned } from '@nifty/events/payments'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, orderFor, wallet } from '../testing.ts'
import { DAY_MS, inMs, startTestBidding } from './testing.ts'

const catalog = await startTestBidding()
const { begin, place, withdraw, bidOn, givenOfferable, givenOffer, offerOf, stateOf, setMinimum } = catalog
const { get, post, put, consume, givenAccount, givenItem, published, peers, seller, db, lockWork } = catalog

const releaseBid = ({ orderId, itemId }: { orderId: string; itemId: string }, why = 'not_held') =>
  consume(messageOf(bidReleased, { orderId, lineId: randomUUID(), itemId, kind: 'offer', why, at }))

test('an offer begins, is held, and is shown on the page of its work', async () => {
  const item = await givenOfferable()
  const bid = bidOn(item, { limitCents: 12_050 })

  expect(await begin(bid)).toMatchObject({
    status: 200,
    body: {
      line: {
        itemId: item.itemId,
        priceCents: 12_050,
        sellerId: seller.userId,
        sellerUsername: seller.username,
        creatorId: seller.userId,
        name: 'Dusk',
        royaltyBps: 500,
      },
    },
  })
  expect(await get(item.page)).toMatchObject({ offers: { minimum: 50, count: 0, highest: null }, reserved: false })
  expect(peers.requests.at(-1)).toMatchObject({ to: bid.buyerWallet, tokens: [{ token: item.token }] })

  const { body } = await place(bid)
  expect(body).toEqual({ state: 'open', priceCents: null, why: null, decideBy: expect.any(String) })
  const days = (new Date(body.decideBy).getTime() - Date.now()) / DAY_MS
  expect(days).toBeGreaterThan(2.99)
  expect(days).toBeLessThanOrEqual(3.01)
  expect(await get(item.page)).toMatchObject({ offers: { minimum: 50, count: 1, highest: 120.5 }, forSale: false })
  expect((await published(item.itemId)).filter(({ name }) => name === 'catalog.offer-received.v1')).toMatchObject([
    { orderId: bid.orderId, buyerId: bid.buyerId, ownerId: seller.userId, priceCents: 12_050, endsAt: body.decideBy },
  ])
})

test('a repeated request has the same response, and publishes nothing more', async () => {
  const item = await givenOfferable()
  const bid = bidOn(item)
  expect(await begin(bid)).toEqual(await begin(bid))
  const placed = await place(bid)
  await setMinimum(item, null)
  expect(await place(bid)).toEqual(placed)
  expect(await place(bid, null)).toEqual(placed)
  expect((await published(item.itemId)).map(({ name }) => name)).toEqual(['catalog.offer-received.v1'])
  for (const differing of [{ limitCents: 9_100 }, { days: 1 }, { buyerId: randomUUID() }, { buyerWallet: null }])
    expect(await begin({ ...bid, ...differing })).toMatchObject({ status: 409, body: { code: 'order_differs' } })
  const other = await givenOfferable()
  expect((await begin({ ...bid, itemId: other.itemId })).body.code).toBe('order_differs')
})

test('the order of a purchase is no offer', async () => {
  const item = await givenItem(seller.userId)
  await setMinimum(item, 50)
  const order = orderFor([item])
  await post('/internal/reservations', order)
  expect((await begin(bidOn(item, { orderId: order.orderId }))).body.code).toBe('order_differs')
})

test.each([
  ['null', null],
  ['a second too short', inMs(3 * DAY_MS + 25 * 3_600_000 - 1_000)],
])('a hold that does not last for the delivery ends the offer: %s', async (_what, captureBefore) => {
  const item = await givenOfferable()
  const bid = bidOn(item)
  await begin(bid)
  const ended = { state: 'ended', priceCents: null, why: 'hold_too_short', decideBy: null }
  expect((await place(bid, captureBefore)).body).toEqual(ended)
  expect((await place(bid)).body).toEqual(ended)
  expect(await published(bid.orderId)).toMatchObject([
    { name: 'catalog.bid-ended.v1', outcome: 'lost', why: 'hold_too_short', wasHeld: true },
  ])
  expect(await published(item.itemId)).toEqual([])
})

test('a hold that just lasts for the delivery lets the offer stand', async () => {
  const bid = bidOn(await givenOfferable())
  await begin(bid)
  expect((await place(bid, inMs(3 * DAY_MS + 25 * 3_600_000 + 10_000))).body.state).toBe('open')
})

const own = wallet()
test.each<[string, (item: { itemId: string; path: string }) => Promise<object>, number, string]>([
  ['its owner', async () => ({ buyerId: seller.userId }), 403, 'own_item'],
  [
    "its owner's wallet",
    async () => ({ buyerWallet: seller.wallet!.toUpperCase().replace('0X', '0x') }),
    403,
    'own_item',
  ],
  ['the wallet that holds it', async () => ({ buyerWallet: own }), 403, 'own_item'],
  ['a price below the minimum', async () => ({ limitCents: 4_999 }), 409, 'too_low'],
  ['an unknown work', async () => ({ itemId: randomUUID() }), 404, 'item_not_found'],
  ['a work that takes none', (item) => setMinimum(item, null).then(() => ({})), 409, 'no_offers'],
  ['a hidden work', ({ path }) => put(seller.userId, `${path}/hide`).then(() => ({})), 404, 'item_not_found'],
])('an offer of %s is refused', async (_what, change, status, code) => {
  const item = await givenOfferable({}, { inWallet: own })
  const bid = bidOn(item, await change(item))
  expect(await begin(bid)).toMatchObject({ status, body: { code } })
  expect(await place(bid)).toMatchObject({ status: 404, body: { code: 'bid_not_found' } })
})

test('a refusal names the minimum in euros', async () => {
  const item = await givenOfferable()
  await setMinimum(item, 60.5)
  expect((await begin(bidOn(item, { limitCents: 6_049 }))).body.details).toEqual({ minimum: 60.5 })
  expect((await begin(bidOn(item, { limitCents: 6_050 }))).status).toBe(200)
})

test.each([
  ['work_contested', 409],
  ['gift_waits', 409],
  ['not_owner', 409],
  ['recipient_refuses', 409],
  ['being_delivered', 409],
  ['unknown_token', 503],
  ['not_final', 503],
])('an offer that minting refuses as %s does not begin', async (code, status) => {
  const item = await givenOfferable()
  peers.refusals.set(item.token, { code })
  const expected = status === 503 ? 'deliverability_unknown' : code
  expect(await begin(bidOn(item))).toMatchObject({ status, body: { code: expected } })
})

test('an offer begins for a work in a wallet whose owner signs the permit when accepting', async () => {
  const item = await givenOfferable({}, { inWallet: wallet() })
  peers.refusals.set(item.token, { code: 'permit_required', permit: {} })
  expect((await begin(bidOn(item))).status).toBe(200)
})

test('what changes while minting is asked refuses the offer', async () => {
  const item = await givenOfferable()
  peers.whileMintingIsAsked(() => setMinimum(item, null))
  expect((await begin(bidOn(item))).body.code).toBe('no_offers')
})

test('an account has one offer for a work at a time, also with two requests at once', async () => {
  const item = await givenOfferable()
  const buyerId = randomUUID()
  const answers = await Promise.all([1, 2, 3].map(() => begin(bidOn(item, { buyerId }))))
  expect(answers.map(({ status, body }) => body.code ?? status).sort()).toEqual([200, 'offer_exists', 'offer_exists'])
  const first = await db.selectFrom('offer').selectAll().where('buyerId', '=', buyerId).executeTakeFirstOrThrow()
  await place(first)
  expect((await begin(bidOn(item, { buyerId }))).body.code).toBe('offer_exists')
  await withdraw(first)
  expect((await begin(bidOn(item, { buyerId }))).status).toBe(200)
  expect((await begin(bidOn(await givenOfferable(), { buyerId }))).status).toBe(200)
})

test('a buyer withdraws an offer before and after its card is held', async () => {
  const item = await givenOfferable()
  const [unpaid, held] = [bidOn(item), await givenOffer(item)]
  await begin(unpaid)
  for (const bid of [unpaid, held, held])
    expect((await withdraw(bid)).body).toEqual({ state: 'ended', priceCents: null, why: 'withdrawn', decideBy: null })
  expect(await published(held.orderId)).toMatchObject([{ outcome: 'lost', why: 'withdrawn', wasHeld: true }])
  expect(await published(unpaid.orderId)).toMatchObject([{ wasHeld: false }])
  expect((await place(unpaid)).body.why).toBe('withdrawn')
  expect((await begin(unpaid)).body.code).toBe('order_over')
  expect(await get(item.page)).toMatchObject({ offers: { count: 0, highest: null } })
  expect((await withdraw({ orderId: randomUUID() })).body.code).toBe('bid_not_found')
})

test('an offer that payments has ended is over, also when it would begin later', async () => {
  const item = await givenOfferable()
  const held = await givenOffer(item)
  await releaseBid(held, 'hold_lost')
  await releaseBid(held, 'hold_lost')
  expect(await stateOf(held)).toBe('ended: hold_lost')
  expect(await published(held.orderId)).toMatchObject([{ outcome: 'lost', why: 'hold_lost', wasHeld: true }])

  const late = bidOn(item)
  await releaseBid(late)
  expect((await begin(late)).body.code).toBe('order_over')
  const abandoned = bidOn(item)
  await begin(abandoned)
  const { orderId, itemId, buyerId } = abandoned
  await consume(messageOf(orderLineAbandoned, { orderId, itemId, buyerId, lineId: randomUUID(), at } as never))
  expect(await stateOf(abandoned)).toBe('ended: not_held')
})

test('offers end that nobody accepted in time, and those that were not held within an hour', async () => {
  const item = await givenOfferable()
  const [expired, open, unpaid, begun] = [await givenOffer(item), await givenOffer(item), bidOn(item), bidOn(item)]
  for (const bid of [unpaid, begun]) await begin(bid)
  const past = new Date(Date.now() - 1_000)
  await db.updateTable('offer').set({ endsAt: past }).where('orderId', '=', expired.orderId).execute()
  const anHourAgo = new Date(Date.now() - 3_601_000)
  await db.updateTable('offer').set({ startedAt: anHourAgo }).where('orderId', '=', unpaid.orderId).execute()

  await catalog.runJob('offers')

  expect(await Promise.all([expired, open, unpaid, begun].map(stateOf))).toEqual([
    'ended: expired',
    'open',
    'ended: not_held',
    'started',
  ])
  expect(await published(expired.orderId)).toMatchObject([{ outcome: 'lost', why: 'expired', wasHeld: true }])
  expect((await place(expired)).body).toMatchObject({ state: 'ended', why: 'expired' })
  expect((await offerOf(open)).endsAt).not.toBeNull()
})

test('an offer that is accepted while the worker waits for its work does not end', async () => {
  const bid = await givenOffer(await givenOfferable())
  const past = new Date(Date.now() - 1_000)
  await db.updateTable('offer').set({ endsAt: past }).where('orderId', '=', bid.orderId).execute()
  const lock = await lockWork(bid)
  const job = catalog.runJob('offers')
  await waitForBlockedQuery(db)
  await lock.updateTable('offer').set({ state: 'accepted' }).where('orderId', '=', bid.orderId).execute()
  await lock.commit().execute()
  await job
  expect(await stateOf(bid)).toBe('accepted')
})

test('while offers are switched off none begins, and open ones are decided', async () => {
  const off = await startTestBidding({ offers: false })
  const item = await off.givenItem(off.seller.userId, { priceCents: null })
  await off.db.updateTable('item').set({ offerMinimumCents: 5_000 }).where('id', '=', item.itemId).execute()
  expect(await off.begin(off.bidOn(item))).toMatchObject({ status: 503, body: { code: 'offers_off' } })
  expect(await off.setMinimum(item, 50)).toMatchObject({ status: 503, body: { code: 'offers_off' } })
  const other = await off.givenItem(off.seller.userId, { priceCents: null })
  await off.db.updateTable('item').set({ offerMinimumCents: 5_000 }).where('id', '=', other.itemId).execute()
  expect((await off.setMinimum(other, null)).status).toBe(200)
  const cleared = off.db.selectFrom('item').select('offerMinimumCents').where('id', '=', other.itemId)
  expect(await cleared.executeTakeFirst()).toEqual({ offerMinimumCents: null })
  expect(await off.get(item.page)).toMatchObject({ offers: null })
  expect(await off.market('?sale=offers')).toMatchObject({ nfts: [], total: 0 })
  expect((await off.market()).nfts).toMatchObject([{ offers: null }, { offers: null }])
  const { orderId, itemId, buyerId } = off.bidOn(item)
  const offer = {
    orderId,
    itemId,
    buyerId,
    ownerId: off.seller.userId,
    wallet: null,
    priceCents: 9_000,
    days: 1,
  } as const
  await off.db.insertInto('offer').values(offer).execute()
  expect((await off.place({ orderId })).body.state).toBe('open')
  expect((await off.accept({ orderId })).status).toBe(200)
})

test('an offer of a seller who may not sell any more does not begin', async () => {
  const former = await givenAccount({ admin: true })
  const item = await givenItem(former.userId, { priceCents: null })
  await setMinimum(item, 50, former.userId)
  await db.updateTable('account').set({ admin: false }).where('userId', '=', former.userId).execute()
  expect((await begin(bidOn(item))).body.code).toBe('no_offers')
})

test.each([{ days: 2 }, { days: 0 }, { kind: 'bid' }, { limitCents: 1.5 }, { orderId: 'x' }, { itemId: null }])(
  'a request with %j is a 400',
  async (wrong) => {
    expect((await begin({ ...bidOn({ itemId: randomUUID() }), ...wrong })).status).toBe(400)
  },
)

test('a time of the hold that is none is a 400', async () => {
  const bid = bidOn(await givenOfferable())
  await begin(bid)
  expect(await place(bid, 'soon')).toMatchObject({ status: 400, body: { code: 'invalid_capture_before' } })
  expect(await stateOf(bid)).toBe('started')
})
