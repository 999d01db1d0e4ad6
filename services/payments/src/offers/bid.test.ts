import { cancelOrder } from '@nifty/api/payments/ops'
import { accountDeleted } from '@nifty/events/auth'
import { conflict, type ExpectedError, unavailable } from '@nifty/service-kit/base/errors'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import type Stripe from 'stripe'
import { afterEach, expect, test } from 'vitest'
import type { CancelRequestedBy } from '../db.ts'
import { createCollectors } from '../metrics.ts'
import { requestCancellation } from '../orders/cancellation.actions.ts'
import { findOrder, wakeOrder } from '../orders/order.store.ts'
import { runStep } from '../orders/run-step.ts'
import { runDueSteps } from '../testing/due-steps.ts'
import { deliverOnChain } from '../testing/lost-order.ts'
import {
  accept,
  bidFor,
  endedOf,
  givenOpenBid,
  givenOpenOffer,
  makeBid,
  makeOffer,
  offerFor,
} from '../testing/offer.ts'
import { startTestPayments } from '../testing/payments.ts'
import { auctionEndsAt } from '../testing/peers.ts'
import { reconcile } from '../testing/reconciliation.ts'
import {
  booksOf,
  cancel,
  cartOf,
  deliver,
  failedFor,
  intentOf,
  lines,
  publishedEvents,
  start,
  view,
} from '../testing/sale.ts'

const payments = await startTestPayments({ manual: true })
const { app, peers, sandbox, db, deps, consume, internal } = payments

afterEach(() => {
  peers.beginning.refusal = undefined
  peers.failing.clear()
})

type Bid = Awaited<ReturnType<typeof givenOpenBid>>
const run = async ({ orderId }: { orderId: string }) => {
  await wakeOrder(db, orderId)
  await runDueSteps(deps)
}
const pay = async (bid: { orderId: string; url: string }) => {
  await sandbox.pay(bid.url)
  await run(bid)
}
const givenHeld = async (given: Parameters<typeof givenOpenBid>[1] = {}) => {
  const bid = await givenOpenBid(payments, given)
  await pay(bid)
  return bid
}
const lineOf = async ({ orderId }: { orderId: string }) => (await lines(payments, orderId))[0]!
const orderOf = async ({ orderId }: { orderId: string }) => (await findOrder(db, orderId))!
const holdOf = async ({ orderId }: { orderId: string }) => deps.processor.hold(await intentOf(payments, orderId))
const eventsOf = async ({ orderId }: { orderId: string }) =>
  (await publishedEvents(payments))
    .filter(({ name, data }) => data.orderId === orderId && name !== 'payments.bid-held.v1')
    .map(({ name, data }) => [name.split('.')[1], data.kind, data.why].filter(Boolean).join(' '))
const heldEventsOf = async ({ orderId }: { orderId: string }) =>
  (await publishedEvents(payments, 'bid-held')).map(({ data }) => data).filter((data) => data.orderId === orderId)
const alarmsOf = async ({ orderId }: { orderId: string }) =>
  (await db.selectFrom('alarm').select('name').where('orderId', '=', orderId).execute()).map(({ name }) => name)
const answerOf = async (request: ReturnType<typeof makeBid>) => {
  const response = await request
  return [response.statusCode, response.json().code ?? 'success']
}
const kindsOf = async ({ buyer }: Pick<Bid, 'buyer'>, kind: string) => {
  const { orders } = (await app.inject({ url: `/api/orders?kind=${kind}`, headers: buyer.headers })).json()
  return (orders as { kind: string }[]).map((order) => order.kind)
}
/** What catalog has decided, of which payments reads by the event. */
const end = async (bid: Bid, why: string) => {
  peers.endOffer(bid.orderId, why)
  await consume(endedOf(bid, why))
  await runDueSteps(deps)
}
const win = async (bid: Bid, priceCents: number) => {
  await accept(payments, bid, priceCents)
  await runDueSteps(deps)
}

/** Its hold was given back, and nothing else happened. */
const expectGivenBack = async (bid: Bid, note: string) => {
  expect(await lineOf(bid)).toMatchObject({ state: 'released', reason: 'lost', note })
  expect(await holdOf(bid)).toMatchObject({ status: 'canceled', capturedCents: 0 })
  expect(await orderOf(bid)).toMatchObject({ money: 'released', authorisedAt: null, nextRunAt: null })
  expect(await eventsOf(bid)).toEqual([`bid-released bid ${note}`])
}

/** Its card is held, and auth and catalog have no request about that yet. */
const givenUnreported = async () => {
  const bid = await givenOpenBid(payments)
  await sandbox.pay(bid.url)
  expect(await runStep(deps, bid.orderId)).toMatchObject({ step: 'poll_session' })
  return bid
}
const isPlaced = ({ orderId }: { orderId: string }) => peers.bids.get(orderId)!.isHeld

test('before a bid stands auth keeps the accounts of its auction, once; of an offer none', async () => {
  const bid = await givenHeld()
  const { captureBefore, auctionId } = await orderOf(bid)
  expect(auctionId).toBe(peers.bids.get(bid.orderId)!.auctionId)
  const people = { buyerId: bid.buyer.userId, sellerId: bid.item.sellerId }
  const kept = { ...people, name: 'Dusk', until: captureBefore!.toISOString(), stood: false }
  expect(peers.keptBids.get(bid.orderId)).toEqual(kept)

  peers.keptBids.delete(bid.orderId)
  await run(bid)
  expect(peers.keptBids.has(bid.orderId)).toBe(false)
  const offer = await givenOpenOffer(payments)
  await pay(offer)
  expect(peers.keptBids.has(offer.orderId)).toBe(false)
})

test.each([
  ['deleted', (userId: string) => peers.accounts.delete(userId)],
  ['suspended', (userId: string) => Object.assign(peers.accounts.get(userId)!, { suspended: true })],
])('the bid of an account that was %s since its page opened does not stand, and is given back', async (_, change) => {
  const bid = await givenUnreported()
  change(bid.buyer.userId)
  await run(bid)
  await expectGivenBack(bid, 'account')
  expect(isPlaced(bid)).toBe(false)
})

test.each(['auth', 'auth after'] as const)(
  'a request to auth that fails (%s) is repeated before the bid stands',
  async (at) => {
    const bid = await givenUnreported()
    peers.failing.add(at)
    await expect(runStep(deps, bid.orderId)).rejects.toThrow()
    expect([await lineOf(bid), isPlaced(bid)]).toMatchObject([{ state: 'held' }, false])
    peers.failing.clear()
    await run(bid)
    expect([await lineOf(bid), isPlaced(bid)]).toMatchObject([{ state: 'held' }, true])
  },
)

test('while auth does not respond a bid is given back when the rest of its hold is just enough for the delivery', async () => {
  const bid = await givenUnreported()
  peers.failing.add('auth')
  await sql`update orders set capture_before = now() + interval '23 hours' where id = ${bid.orderId}`.execute(db)
  await run(bid)
  await expectGivenBack(bid, 'undecided')
  expect(isPlaced(bid)).toBe(false)
  expect(await alarmsOf(bid)).toEqual(['bid_undecided'])
})

test('the page says what the bank holds and what the bidder pays, and returns to the work', async () => {
  const { orderId, url, item } = await givenOpenBid(payments)
  const request = (await orderOf({ orderId })).sessionRequest as Stripe.Checkout.SessionCreateParams
  const page = `http://store.test/item-detail/unknown/${item.contract}/${item.identifier}?bid=${orderId}`
  expect(request).toMatchObject({
    line_items: [{ price_data: { unit_amount: 50_000, product_data: { name: 'Bid of up to 500\u00a0€ for Dusk' } } }],
    custom_text: {
      submit: {
        message:
          'Your bank holds 500\u00a0€. You pay the price at the end, at most this, only if you win and only after the work has arrived.',
      },
    },
    success_url: page,
    cancel_url: `${page}&cancelled=1`,
    metadata: { format: '2', kind: 'bid', order: orderId },
  })
  expect(request.metadata).not.toHaveProperty('days')
  expect(await (await fetch(url)).text()).toContain('only if you win')
})

test('a bid that wins is charged the price and not its limit; the rest of the hold is given back', async () => {
  const bid = await givenHeld()
  const { captureBefore, decideBy, nextRunAt } = await orderOf(bid)
  const { begun, auctionId, ...placed } = peers.bids.get(bid.orderId)!
  expect(begun).toMatchObject({ kind: 'bid', days: null, limitCents: 50_000, buyerId: bid.buyer.userId })
  expect(placed).toMatchObject({
    captureBefore: captureBefore!.toISOString(),
    heldAt: new Date((await holdOf(bid)).paidAtMs!).toISOString(),
  })
  expect(decideBy!.getTime()).toBe(captureBefore!.getTime() - 25 * 3_600_000)
  expect(nextRunAt!.getTime() - Date.now()).toBeLessThanOrEqual(300_000)
  expect(await view(payments, bid)).toMatchObject({
    kind: 'bid',
    state: 'held',
    total: 500,
    limit: 500,
    decideBy: null,
    auctionId,
    cancellable: false,
  })
  expect([await kindsOf(bid, 'purchases'), await kindsOf(bid, 'offers')]).toEqual([[], ['bid']])
  // Once, however often catalog is asked.
  await run(bid)
  expect(await heldEventsOf(bid)).toMatchObject([{ kind: 'bid', priceCents: 50_000, endsAt: auctionEndsAt }])

  await win(bid, 12_100)
  expect(await view(payments, bid)).toMatchObject({ state: 'authorised', total: 121, limit: 500, cancellable: false })
  expect([await kindsOf(bid, 'purchases'), await kindsOf(bid, 'offers')]).toEqual([['bid'], ['bid']])
  const authorised = (await publishedEvents(payments, 'order-authorised')).find(
    ({ data }) => data.orderId === bid.orderId,
  )
  expect(authorised!.data).toMatchObject({ kind: 'bid', totalCents: 12_100 })

  const line = await lineOf(bid)
  await deliver(payments, line)
  await run(bid)
  expect(await holdOf(bid)).toMatchObject({ status: 'succeeded', amount: 50_000, capturedCents: 12_100 })
  expect(await orderOf(bid)).toMatchObject({ money: 'captured', totalCents: 50_000, capturedCents: 12_100 })
  expect(await booksOf(payments, line.id)).toMatchObject({ sale: 10_890, commission: 1_210 })
  expect((await reconcile(payments)).differences).toEqual([])
})

test('outbid while its page is open: the page is closed, and a payment in the same moment given back', async () => {
  const [open, paid] = [await givenOpenBid(payments), await givenOpenBid(payments)]
  await end(open, 'outbid')
  expect(await lineOf(open)).toMatchObject({ state: 'released', reason: 'cancelled' })
  expect((await deps.processor.session((await orderOf(open)).sessionId!)).status).toBe('expired')
  expect(await eventsOf(open)).toEqual(['bid-released bid not_held'])

  await sandbox.pay(paid.url)
  await end(paid, 'too_low')
  await expectGivenBack(paid, 'too_low')
})

test('outbid after the hold: the hold is given back at once', async () => {
  const bid = await givenHeld()
  await end(bid, 'outbid')
  await expectGivenBack(bid, 'outbid')
  expect(await alarmsOf(bid)).toEqual([])
})

test('a bid that leads is raised: both are held for a moment, and then the higher one alone', async () => {
  const first = await givenHeld()
  const { item, buyer } = first
  const second = await givenOpenBid(payments, { item, buyer, body: { limit: 800 } })
  await pay(second)
  expect(await lineOf(first)).toMatchObject({ state: 'held' })
  expect(await lineOf(second)).toMatchObject({ state: 'held', priceCents: 80_000 })

  await end(first, 'raised')
  await expectGivenBack(first, 'raised')
  expect(await holdOf(second)).toMatchObject({ status: 'requires_capture' })
})

test('a second click returns the same page, another amount closes it and opens another', async () => {
  const bid = await givenOpenBid(payments)
  const again = await makeBid(payments, bid.buyer, bidFor(bid.item))
  expect(again.json()).toMatchObject({ url: bid.url, orderId: bid.orderId })

  const other = await givenOpenBid(payments, { ...bid, body: { limit: 600 } })
  expect(other.orderId).not.toBe(bid.orderId)
  expect([(await lineOf(bid)).state, (await lineOf(other)).state]).toEqual(['released', 'awaiting_payment'])
  // Catalog ends its offers, of which one may still have its page open.
  const offer = await makeOffer(payments, bid.buyer, offerFor(bid.item))
  expect([offer.statusCode, (await lineOf(other)).state]).toEqual([200, 'released'])
  await givenOpenBid(payments, bid)
  expect(await lineOf({ orderId: offer.json().orderId })).toMatchObject({ state: 'released' })
})

test('paid between two clicks: the second one says so, and bids nothing more', async () => {
  const bid = await givenOpenBid(payments)
  await sandbox.pay(bid.url)
  const second = await makeBid(payments, bid.buyer, bidFor(bid.item))
  expect([second.statusCode, second.json()]).toMatchObject([
    409,
    { code: 'already_buying', message: 'Your bid is placed already', details: { orderId: bid.orderId } },
  ])
  expect(await lineOf(bid)).toMatchObject({ state: 'held' })
})

test('nobody bids for a work that the account is buying', async () => {
  const [buyer, item] = [peers.givenBuyer(), peers.givenItem()]
  await start(payments, buyer, cartOf(item))
  expect(await answerOf(makeBid(payments, buyer, bidFor(item)))).toEqual([409, 'already_buying'])
})

test.each([0.49, 1_000_000, 9.999, '90', null])('an amount of %s is refused', async (limit) => {
  const response = await makeBid(payments, peers.givenBuyer(), bidFor(peers.givenItem(), { limit }))
  expect([response.statusCode, response.json()]).toMatchObject([
    400,
    { code: 'invalid_amount', errors: [{ path: 'limit' }] },
  ])
})

test.each([
  conflict('too_low', 'too low', { details: { minimum: 120 } }),
  conflict('auction_closed', 'closed'),
  unavailable('auctions_off', 'off'),
])('what catalog refuses ends the order without a page ($code)', async (refusal) => {
  const [buyer, item] = [peers.givenBuyer(), peers.givenItem()]
  peers.beginning.refusal = refusal as ExpectedError
  expect(await answerOf(makeBid(payments, buyer, bidFor(item)))).toEqual([refusal.statusCode, refusal.code])
  const { id: orderId } = await db
    .selectFrom('orders')
    .select('id')
    .where('buyerId', '=', buyer.userId)
    .executeTakeFirstOrThrow()
  expect(await lineOf({ orderId })).toMatchObject({ state: 'released' })
  expect(await eventsOf({ orderId })).toEqual(['bid-released bid not_held'])
})

test('an unusual amount that the bidder has confirmed is confirmed to catalog', async () => {
  const [plain, sure] = [await givenOpenBid(payments), await givenOpenBid(payments, { body: { sure: true } })]
  expect(peers.bids.get(plain.orderId)!.begun.sure).toBeUndefined()
  expect(peers.bids.get(sure.orderId)!.begun.sure).toBe(true)
  expect(await answerOf(makeBid(payments, sure.buyer, bidFor(sure.item, { sure: false })))).toEqual([
    400,
    'invalid_request',
  ])
})

test('offers and bids share their limits', async () => {
  const buyer = peers.givenBuyer()
  await givenOpenOffer(payments, { buyer })
  for (let count = 0; count < 2; count++) await givenOpenBid(payments, { buyer })
  const refused = await makeBid(payments, buyer, bidFor(peers.givenItem()))
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 60]).toEqual([429, true])
  expect((await makeOffer(payments, buyer, offerFor(peers.givenItem()))).statusCode).toBe(429)
})

test('a bid is cancelled while its page is open, and binding once its card is held', async () => {
  const open = await givenOpenBid(payments)
  expect(await view(payments, open)).toMatchObject({ state: 'awaiting_payment', cancellable: true })
  expect((await cancel(payments, open)).json()).toMatchObject({ state: 'released' })

  const bid = await givenHeld()
  expect(await answerOf(cancel(payments, bid))).toEqual([409, 'bid_binding'])
  expect(await orderOf(bid)).toMatchObject({ cancelRequestedBy: null, money: 'held' })
  await win(bid, 12_100)
  expect(await answerOf(cancel(payments, bid))).toEqual([409, 'bid_binding'])
  expect(await lineOf(bid)).toMatchObject({ state: 'authorised' })
})

test('cancelled while its page is being paid: catalog has no such bid yet, and the hold is given back', async () => {
  const bid = await givenOpenBid(payments)
  await sandbox.pay(bid.url)
  expect((await cancel(payments, bid)).json()).toMatchObject({ state: 'released' })
  await expectGivenBack(bid, 'withdrawn')
})

test.each([
  ['leads', undefined, 'held'],
  ['has won', 12_100, 'authorised'],
])('cancelled while it is reported to catalog: a bid that %s there stays', async (_what, priceCents, state) => {
  const bid = await givenOpenBid(payments)
  await sandbox.pay(bid.url)
  // As it is after a process that ended between the response of catalog and its commit.
  Object.assign(peers.bids.get(bid.orderId)!, { isHeld: true })
  if (priceCents !== undefined) peers.acceptOffer(bid.orderId, priceCents)
  expect(await answerOf(cancel(payments, bid))).toEqual([409, 'bid_binding'])
  expect(await lineOf(bid)).toMatchObject({ state })
  expect(await orderOf(bid)).toMatchObject({ cancelRequestedBy: null })
})

test('an operator ends a held bid; catalog ends it by the event', async () => {
  const bid = await givenHeld()
  peers.failing.add('catalog')
  await internal(cancelOrder, { body: { orderId: bid.orderId, reason: 'a test' } })
  await expectGivenBack(bid, 'operator')
})

test.each([
  ['leads is given back', undefined],
  ['has won is delivered', 12_100],
])('after the deletion of the account a bid that %s', async (_what, priceCents) => {
  const bid = await givenHeld()
  if (priceCents !== undefined) peers.acceptOffer(bid.orderId, priceCents)
  const names = { firstName: 'Ben', username: '@ben', email: 'ben@example.com' }
  await consume(messageOf(accountDeleted, { userId: bid.buyer.userId, ...names, at: new Date().toISOString() }))
  await runDueSteps(deps)
  if (priceCents === undefined) return expectGivenBack(bid, 'account')
  expect(await lineOf(bid)).toMatchObject({ state: 'authorised', priceCents })
})

test('a hold that its bank ended while the bid leads ends the bid', async () => {
  const bid = await givenHeld()
  await sandbox.lapse(await intentOf(payments, bid.orderId))
  await run(bid)
  expect(await lineOf(bid)).toMatchObject({ state: 'released', reason: 'lost', note: 'hold_lost' })
  expect(await eventsOf(bid)).toEqual(['bid-released bid hold_lost'])
})

test('a bid that wins and cannot be delivered is released as a purchase is', async () => {
  const bid = await givenHeld()
  await win(bid, 12_100)
  await consume(failedFor(await lineOf(bid)))
  await runDueSteps(deps)
  expect(await lineOf(bid)).toMatchObject({ state: 'released', reason: 'undeliverable' })
  expect(await eventsOf(bid)).toEqual(['order-line-authorised', 'order-authorised bid', 'order-line-released'])
  expect(await holdOf(bid)).toMatchObject({ status: 'canceled', capturedCents: 0 })
})

test('a bid that its bank had held in time, and that payments reported too late: given back with an alarm', async () => {
  const bid = await givenHeld()
  await end(bid, 'late_by_us')
  await expectGivenBack(bid, 'late_by_us')
  expect(await alarmsOf(bid)).toEqual(['bid_late_by_us'])
})

test('undecided when the rest of its hold is just enough for the delivery: released with an alarm', async () => {
  const bid = await givenHeld()
  const { processor } = deps
  const endsIn = (ms: number) => ({
    ...processor,
    hold: async (id: string) => ({ ...(await processor.hold(id)), captureBeforeMs: Date.now() + ms }),
  })
  await runStep({ ...deps, processor: endsIn(25 * 3_600_000 - 290_000) }, bid.orderId)
  expect(await lineOf(bid)).toMatchObject({ state: 'held' })
  await runStep({ ...deps, processor: endsIn(25 * 3_600_000 - 310_000) }, bid.orderId)
  await runDueSteps(deps)
  await expectGivenBack(bid, 'undecided')
  expect(await alarmsOf(bid)).toEqual(['bid_undecided'])
})

const givenDeliveredBeforeRestore = async () => {
  const bid = await givenHeld()
  deliverOnChain(payments, { ...bid.item, lineId: (await lineOf(bid)).id })
  return bid
}
const requestEnd = (bid: Bid, by: CancelRequestedBy) =>
  db.transaction().execute((trx) => requestCancellation(trx, bid.orderId, by))

test('restored to before it won, and delivered since: charged its price also where an operator cancels it', async () => {
  const bid = await givenDeliveredBeforeRestore()
  peers.acceptOffer(bid.orderId, 12_100)
  await requestEnd(bid, 'operator')
  await run(bid)
  expect(await lineOf(bid)).toMatchObject({ state: 'completed', priceCents: 12_100, capturedCents: 12_100 })
})

test('restored to before it won, delivered since, and its hold ended: its price is written off', async () => {
  const bid = await givenDeliveredBeforeRestore()
  peers.acceptOffer(bid.orderId, 12_100)
  await sandbox.lapse(await intentOf(payments, bid.orderId))
  await run(bid)
  expect(await lineOf(bid)).toMatchObject({ state: 'written_off', priceCents: 12_100 })
})

test.each([
  ['catalog has its auction as void', ({ orderId }: Bid) => peers.endOffer(orderId, 'void')],
  ['catalog lacks it', ({ orderId }: Bid) => peers.bids.delete(orderId)],
])(
  'restored to before it won, and delivered since: where %s an operator captures its price, or cancels it',
  async (_where, lose) => {
    const [charged, cancelled] = [await givenDeliveredBeforeRestore(), await givenDeliveredBeforeRestore()]
    for (const bid of [charged, cancelled]) {
      await lose(bid)
      await run(bid)
      expect(await lineOf(bid)).toMatchObject({ state: 'held' })
      expect(await alarmsOf(bid)).toContain('delivery_contradiction')
    }
    await deps.processor.capture(await intentOf(payments, charged.orderId), 12_100, `capture:${charged.orderId}`)
    await run(charged)
    expect(await lineOf(charged)).toMatchObject({ state: 'completed', priceCents: 12_100 })
    await requestEnd(cancelled, 'operator')
    await run(cancelled)
    expect(await lineOf(cancelled)).toMatchObject({ state: 'released', reason: 'lost', note: 'operator' })
    expect(await holdOf(cancelled)).toMatchObject({ status: 'canceled', capturedCents: 0 })
  },
)

test('a bid has not ended for its bidder’s account when its seller is suspended after it has won', async () => {
  const bid = await givenHeld()
  peers.acceptOffer(bid.orderId, 12_100)
  await requestEnd(bid, 'suspension')
  await run(bid)
  await expectGivenBack(bid, 'failed')
})

test('the page of a bid is polled every ten seconds as work, for five minutes', async () => {
  const bid = await givenOpenBid(payments)
  const next = async () => {
    const { nextRunAt, nextRunIsPoll } = await orderOf(bid)
    return [nextRunIsPoll, Math.ceil((nextRunAt!.getTime() - Date.now()) / 1_000)]
  }
  expect(await next()).toEqual([false, 10])
  await sql`update orders set created_at = created_at - interval '5 minutes' where id = ${bid.orderId}`.execute(db)
  await run(bid)
  expect(await next()).toEqual([true, 30])
})

test('a process of a former release neither delivers a bid nor charges more than its limit', async () => {
  const bid = await givenOpenBid(payments)
  const set = (changes: object) => db.updateTable('line').set(changes).where('orderId', '=', bid.orderId).execute()
  await expect(set({ state: 'authorised' })).rejects.toThrow('the sale of a conditional line is not decided')
  await pay(bid)
  await expect(set({ state: 'authorised', priceCents: 50_001 })).rejects.toThrow('can only fall')
})

test('held bids are in the metrics of what is not decided', async () => {
  const [orders] = createCollectors(deps)
  const read = async () => (await orders!.read()).nifty_bids_held_euros as number
  const before = await read()
  const bid = await givenHeld()
  expect(await read()).toBe(before + 500)
  await end(bid, 'outbid')
  expect(await read()).toBe(before)
})
