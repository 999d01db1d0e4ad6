import { randomUUID } from 'node:crypto'
import { orderLineContested } from '@nifty/events/payments'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { at, orderFor, wallet } from '../testing.ts'
import { readTerms } from './auction.actions.ts'
import { DAY_MS, inMs, startTestBidding } from './testing.ts'

const HOUR_MS = 3_600_000

const catalog = await startTestBidding()
const { begin, limitOn, givenAuction, givenPage, givenBid, auctionOf, bidState, startAuction, cancelAuction } = catalog
const { givenOffer, givenOfferable, setMinimum, stateOf, bidOn, endIn } = catalog
const { get, post, put, consume, givenAccount, givenItem, moveToken, published, peers, seller, app, runJob, db } =
  catalog

const givenWork = (priceCents: number | null = null) => givenItem(seller.userId, { priceCents })
const namesOf = async ({ itemId }: { itemId: string }) => (await published(itemId)).map(({ name }) => name)
const countAuctions = async ({ itemId }: { itemId: string }) =>
  (await db.selectFrom('auction').select('id').where('itemId', '=', itemId).execute()).length

test('an auction waits for the first bid, and is one for a repeated request', async () => {
  const item = await givenItem(seller.userId, { priceCents: null }, { inWallet: wallet() })
  // The same id, also in the event.
  const first = await startAuction({ itemId: item.itemId.toUpperCase() }, { opening: 12.5, hours: 6 })
  expect(first).toMatchObject({
    status: 200,
    body: { success: true, nft: { forSale: false, price: 12.5, auction: { opening: 12.5, hours: 6, endsAt: null } } },
  })
  const until = new Date(peers.requests.at(-1)!.tokens[0]!.until!).getTime() - Date.now()
  expect(until).toBeGreaterThan(6 * HOUR_MS + 2 * DAY_MS)

  expect(await startAuction(item, { opening: 12.5, hours: 6 })).toEqual(first)
  expect(await countAuctions(item)).toBe(1)
  expect(await namesOf(item)).toEqual(['catalog.item-listed.v1'])
  expect((await published(item.itemId))[0]).toMatchObject({ sellerId: seller.userId, priceCents: 1_250 })
  for (const terms of [
    { opening: 13, hours: 6 },
    { opening: 12.5, hours: 7 },
    { opening: 12.5, startsAt: inMs(DAY_MS) },
  ])
    expect(await startAuction(item, terms)).toMatchObject({ status: 409, body: { code: 'on_auction' } })
})

test('of two requests at one instant one starts the auction', async () => {
  const item = await givenWork()
  const responses = await Promise.all([startAuction(item), startAuction(item, { opening: 20 })])
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(await countAuctions(item)).toBe(1)
})

test('the same request at one instant starts one auction, and both have its response', async () => {
  const item = await givenWork()
  const responses = await Promise.all([startAuction(item), startAuction(item)])
  expect(responses.map(({ status }) => status)).toEqual([200, 200])
  expect(responses[0]).toEqual(responses[1])
  expect(await countAuctions(item)).toBe(1)
})

test('an announced auction has its end from the start on', async () => {
  const item = await givenWork()
  const startsAt = inMs(2 * DAY_MS)
  expect((await startAuction(item, { startsAt, hours: 72 })).body.nft.auction).toMatchObject({
    startsAt,
    endsAt: new Date(Date.parse(startsAt) + 3 * DAY_MS).toISOString(),
  })
  const { endsAt, latestEndAt } = await auctionOf(item)
  expect(latestEndAt!.getTime() - endsAt!.getTime()).toBe(DAY_MS)
})

test.each<[string, object, string, string]>([
  ['no number', { opening: 'ten' }, 'invalid_amount', 'opening'],
  ['below 0.50 €', { opening: 0.49 }, 'invalid_amount', 'opening'],
  ['above 999,999.99 €', { opening: 1_000_000 }, 'invalid_amount', 'opening'],
  ['of three decimals', { opening: 10.001 }, 'invalid_amount', 'opening'],
  ['no hours', { hours: null }, 'invalid_hours', 'hours'],
  ['0 hours', { hours: 0 }, 'invalid_hours', 'hours'],
  ['73 hours', { hours: 73 }, 'invalid_hours', 'hours'],
  ['half an hour', { hours: 0.5 }, 'invalid_hours', 'hours'],
  ['a start that is no time', { startsAt: 'tomorrow' }, 'invalid_start', 'startsAt'],
  ['a start that passed', { startsAt: inMs(-60_000) }, 'invalid_start', 'startsAt'],
  ['a start after 30 days', { startsAt: inMs(31 * DAY_MS) }, 'invalid_start', 'startsAt'],
])('terms with %s are a 400', async (_what, terms, code, path) => {
  const item = await givenWork()
  expect(await startAuction(item, terms)).toMatchObject({ status: 400, body: { code, errors: [{ path }] } })
  expect(await countAuctions(item)).toBe(0)
})

test.each([
  ['2026-02-31T10:00:00Z', undefined],
  ['2027-02-29T10:00:00.5Z', undefined],
  ['2027-11-31T00:00:00.000Z', undefined],
  ['2028-02-29T23:59:59Z', Date.UTC(2028, 1, 29, 23, 59, 59)],
])('the start %s is taken only if its day exists', (startsAt, ms) => {
  const read = () => readTerms({ opening: 10, hours: 24, startsAt })
  if (ms === undefined) expect(read).toThrow(expect.objectContaining({ code: 'invalid_start' }))
  else expect(read().startsAt?.getTime()).toBe(ms)
})

test('only the owner who may sell starts an auction, and only of a visible, free work that exists', async () => {
  const [item, foreign] = [await givenWork(), await givenAccount({ admin: true })]
  const codeOf = async (start: ReturnType<typeof startAuction>) => {
    const { status, body } = await start
    return `${status} ${body.code}`
  }
  expect(await codeOf(startAuction({ itemId: randomUUID() }))).toBe('404 item_not_found')
  expect((await startAuction({ itemId: '7' })).status).toBe(400)
  expect(await codeOf(startAuction(item, {}, { userId: foreign.userId }))).toBe('403 not_the_owner')
  const { userId } = await givenAccount()
  const kept = await givenItem(userId, { priceCents: null })
  expect((await startAuction(kept, {}, { userId })).status).toBe(403)
  const body = { itemId: item.itemId, opening: 10, hours: 24 }
  expect((await app.inject({ method: 'POST', url: '/api/auctions', payload: body })).statusCode).toBe(401)

  await put(seller.userId, `${item.path}/hide`)
  expect(await codeOf(startAuction(item))).toBe('409 item_hidden')
  const listed = await givenWork(12_000)
  expect((await post('/internal/reservations', orderFor([listed]))).status).toBe(200)
  expect(await codeOf(startAuction(listed))).toBe('409 item_reserved')
  const unsigned = await givenItem(seller.userId, { priceCents: null }, { inWallet: wallet() })
  peers.refusals.set(unsigned.token, { code: 'permit_required', permit: { domain: 'any' } })
  expect(await startAuction(unsigned)).toMatchObject({
    status: 409,
    body: { code: 'permit_required', details: { typedData: { domain: 'any' } } },
  })
  for (const each of [item, kept, listed, unsigned]) expect(await countAuctions(each)).toBe(0)
})

test.each([
  ['work_contested', '409 work_contested'],
  ['gift_waits', '409 gift_waits'],
  ['not_owner', '409 not_owner'],
  ['unknown_token', '503 deliverability_unknown'],
  ['not_final', '503 deliverability_unknown'],
])('an auction of a work that minting refuses as %s does not start', async (code, refusal) => {
  const item = await givenOfferable()
  await put(seller.userId, `${item.path}/set-price`, { price: 120, forSale: true })
  const offer = await givenOffer(item)
  const before = await namesOf(item)
  peers.refusals.set(item.token, { code })

  const { status, body } = await startAuction(item, { opening: 100 })
  expect(`${status} ${body.code}`).toBe(refusal)
  expect([await countAuctions(item), await stateOf(offer), await namesOf(item)]).toEqual([0, 'open', before])
  expect(await get(item.page)).toMatchObject({ forSale: true, auction: null })

  peers.refusals.delete(item.token)
  expect((await startAuction(item, { opening: 100 })).status).toBe(200)
})

test('an auction of a work whose payment a bank contests does not start, also when that is stored meanwhile', async () => {
  const contest = ({ itemId, token, name }: Awaited<ReturnType<typeof givenWork>>) => {
    const accounts = { buyerId: seller.userId, sellerId: randomUUID() }
    const line = { orderId: randomUUID(), lineId: randomUUID(), itemId, token, name, priceCents: 12_000 }
    return consume(messageOf(orderLineContested, { ...line, ...accounts, at }))
  }
  const contested = { status: 409, body: { code: 'work_contested' } }
  const [before, during] = [await givenWork(), await givenWork()]
  await contest(before)
  const asked = peers.requests.length
  expect(await startAuction(before)).toMatchObject(contested)
  expect(peers.requests).toHaveLength(asked)

  peers.whileMintingIsAsked(() => contest(during))
  expect(await startAuction(during)).toMatchObject(contested)
  expect([await countAuctions(before), await countAuctions(during)]).toEqual([0, 0])
})

test.each<[string, string, (item: Awaited<ReturnType<typeof givenWork>>) => Promise<unknown>]>([
  ['moves', 'item_moved', (item) => moveToken(item, { ownerId: seller.userId, wallet: wallet() })],
  ['is being bought', 'item_reserved', (item) => post('/internal/reservations', orderFor([item]))],
])('an auction does not start when its work %s while minting is asked', async (_what, code, change) => {
  const item = await givenWork(12_000)
  peers.whileMintingIsAsked(() => change(item))
  expect(await startAuction(item, { opening: 100 })).toMatchObject({ status: 409, body: { code } })
  expect(await countAuctions(item)).toBe(0)
})

test('no auction starts for a work that gets another owner in custody while minting is asked', async () => {
  const item = await givenWork()
  peers.whileMintingIsAsked(() => moveToken(item, { ownerId: randomUUID() }))
  expect(await startAuction(item)).toMatchObject({ status: 403, body: { code: 'not_the_owner' } })
  expect(await countAuctions(item)).toBe(0)
})

test.each([
  ['start', []],
  ['cancellation', ['open']],
])(
  'an auction waits for the suspension of its seller that is stored at that moment, and is refused its %s',
  async (what, states) => {
    const { userId } = await givenAccount({ admin: true })
    const item = await givenItem(userId, { priceCents: null })
    if (what === 'cancellation') await startAuction(item, {}, { userId })
    const send = async () =>
      what === 'start' ? startAuction(item, {}, { userId }) : cancelAuction(await auctionOf(item), userId)
    const suspension = await db.startTransaction().execute()
    await suspension.updateTable('account').set({ suspended: true }).where('userId', '=', userId).execute()
    const request = send()
    await waitForBlockedQuery(db, { except: '%auction_clock%' }).finally(() => suspension.commit().execute())
    expect(await request).toMatchObject({ status: 403, body: { code: 'not_a_seller' } })
    const stored = await db.selectFrom('auction').select('state').where('itemId', '=', item.itemId).execute()
    expect(stored.map(({ state }) => state)).toEqual(states)
  },
)

test('an unusually low opening price needs a step-up, and is mailed', async () => {
  const item = await givenWork(12_000)
  const low = { opening: 59 }
  expect(await startAuction(item, low)).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
  expect(await get(item.page)).toMatchObject({ forSale: true, auction: null })
  expect((await startAuction(item, low, { steppedUp: true })).status).toBe(200)
  expect(await published(item.itemId)).toContainEqual(
    expect.objectContaining({ name: 'catalog.unusual-price-listed.v1', priceCents: 5_900, formerCents: 12_000 }),
  )
  expect((await startAuction(await givenWork(12_000), { opening: 60 })).status).toBe(200)
})

test('an auction ends the listing and the offers, and takes the place of both', async () => {
  const item = await givenOfferable()
  await put(seller.userId, `${item.path}/set-price`, { price: 120, forSale: true })
  const [offer, page] = [await givenOffer(item), bidOn(item)]
  await begin(page)
  const before = await namesOf(item)
  expect((await startAuction(item, { opening: 100 })).status).toBe(200)

  expect([await stateOf(offer), await stateOf(page)]).toEqual(['ended: on_auction', 'ended: on_auction'])
  expect(await namesOf(item)).toEqual(before)
  const set = await put(seller.userId, `${item.path}/set-price`, { price: 120, forSale: true })
  expect([set.statusCode, set.json().code]).toEqual([409, 'on_auction'])
  const order = orderFor([{ ...item, priceCents: 10_000 }])
  expect(await post('/internal/reservations', order)).toMatchObject({ status: 409, body: { code: 'on_auction' } })
  expect(await begin(bidOn(item))).toMatchObject({ status: 409, body: { code: 'on_auction' } })
  expect(await setMinimum(item, 50)).toMatchObject({ status: 409, body: { code: 'on_auction' } })
  expect(await get(item.page)).toMatchObject({ forSale: false, offers: null, auction: { opening: 100 } })
})

test('an auction without a standing bid is cancelled, once, with the bids that began', async () => {
  const item = await givenAuction()
  const page = await givenPage(item, 5_000)
  const cancelled = await cancelAuction(item)
  expect(cancelled).toMatchObject({ status: 200, body: { nft: { auction: { outcome: 'cancelled' } } } })
  expect(await cancelAuction(item)).toEqual(cancelled)

  expect([await bidState(page), (await auctionOf(item)).state]).toEqual(['ended: cancelled', 'cancelled'])
  expect(await published(page.orderId)).toMatchObject([{ outcome: 'lost', why: 'cancelled', wasHeld: false }])
  expect(await published(item.itemId)).toMatchObject([
    { name: 'catalog.item-listed.v1' },
    { name: 'catalog.auction-ended.v1', outcome: 'cancelled' },
    { name: 'catalog.item-delisted.v1', reason: 'owner' },
  ])
  expect((await startAuction(item, { opening: 20 })).status).toBe(200)
  await cancelAuction(item)
  expect((await auctionOf(item)).state).toBe('open')
})

test('after a cancelled auction a work is for sale and takes offers as before, and after an unsold one it has its price', async () => {
  const item = await givenOfferable()
  await put(seller.userId, `${item.path}/set-price`, { price: 120, forSale: true })
  const { offers, history } = await get(item.page)
  const before = await namesOf(item)
  expect((await startAuction(item, { opening: 100 })).status).toBe(200)
  const auction = await auctionOf(item)
  await cancelAuction(auction)

  expect(await get(item.page)).toMatchObject({ forSale: true, price: 120, offers, history, auction: null })
  expect(await namesOf(item)).toEqual([...before, 'catalog.auction-ended.v1'])
  expect((await post('/internal/reservations', orderFor([{ ...item, priceCents: 12_000 }]))).status).toBe(200)

  const other = await givenWork(12_000)
  await startAuction(other, { opening: 100 })
  await endIn(await auctionOf(other), -1)
  await runJob('auctions')
  expect(await get(other.page)).toMatchObject({ forSale: false, price: 120, auction: { outcome: 'unsold' } })
})

test('an auction with a bid, a decided one and that of somebody else are not cancelled', async () => {
  const item = await givenAuction()
  const stranger = await givenAccount({ admin: true })
  const notFound = { status: 404, body: { code: 'auction_not_found' } }
  expect(await cancelAuction(item, stranger.userId)).toMatchObject(notFound)
  expect(await cancelAuction({ id: randomUUID() })).toMatchObject(notFound)
  const bid = await givenBid(item, 5_000)
  const binding = { status: 409, body: { code: 'auction_has_bids' } }
  expect(await cancelAuction(item)).toMatchObject(binding)
  expect(await startAuction(item)).toMatchObject({ status: 409, body: { code: 'on_auction' } })
  expect(await bidState(bid)).toBe('leading')
  await endIn(item, -1)
  await runJob('auctions')
  expect(await cancelAuction(item)).toMatchObject(binding)
  expect(await bidState(bid)).toBe('won')
})

test('while auctions are switched off none starts, and no bid begins', async () => {
  const off = await startTestBidding({ auctions: false })
  const item = await off.givenItem(off.seller.userId, { priceCents: null })
  const refused = { status: 503, body: { code: 'auctions_off' } }
  expect(await off.startAuction(item)).toMatchObject(refused)
  expect(await off.begin(limitOn(item, 5_000))).toMatchObject(refused)
  expect((await off.cancelAuction({ id: randomUUID() })).status).toBe(404)
})
