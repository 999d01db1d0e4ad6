import { randomUUID } from 'node:crypto'
import { conflict, type ExpectedError, unavailable } from '@nifty/service-kit/base/errors'
import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql } from 'kysely'
import type Stripe from 'stripe'
import { afterEach, expect, test } from 'vitest'
import { findOrder } from '../orders/order.store.ts'
import { runDueSteps } from '../testing/due-steps.ts'
import { givenOpenOffer, makeOffer, offerFor } from '../testing/offer.ts'
import { startTestPayments } from '../testing/payments.ts'
import { cancel, cartOf, lines, publishedEvents, start, view } from '../testing/sale.ts'
import { DECLINED } from '../webhooks/webhook.ts'

const payments = await startTestPayments({ manual: true })
const { peers, sandbox, db, app, deps } = payments

afterEach(() => {
  Object.assign(peers.beginning, { refusal: undefined, other: {} })
  peers.failing.clear()
})

const answerOf = async (request: ReturnType<typeof makeOffer>) => {
  const response = await request
  return [response.statusCode, response.json().code ?? 'success']
}
const stateOf = async (orderId: string) => (await lines(payments, orderId)).map(({ state }) => state).join()
const ordersOf = async (buyer: { headers: Record<string, string> }, kind?: string) => {
  const url = `/api/orders${kind ? `?kind=${kind}` : ''}`
  const { orders } = (await app.inject({ url, headers: buyer.headers })).json()
  return (orders as { _id: string; kind: string }[]).map(({ _id }) => _id)
}
const pay = async ({ url, orderId }: { url: string; orderId: string }) => {
  await sandbox.pay(url)
  await sql`update orders set next_run_at = now() where id = ${orderId}`.execute(db)
  await runDueSteps(deps)
}

test('the page says that the card is held, and for what, and returns to the work', async () => {
  const { orderId, url, item } = await givenOpenOffer(payments, { body: { price: 500 } })
  const request = (await findOrder(db, orderId))!.sessionRequest as Stripe.Checkout.SessionCreateParams
  const page = `http://store.test/item-detail/unknown/${item.contract}/${item.identifier}?offer=${orderId}`
  expect(request).toMatchObject({
    line_items: [
      { quantity: 1, price_data: { unit_amount: 50_000, product_data: { name: 'Offer of 500\u00a0€ for Dusk' } } },
    ],
    success_url: page,
    cancel_url: `${page}&cancelled=1`,
    payment_method_options: { card: { request_three_d_secure: 'any' } },
    payment_intent_data: {
      capture_method: 'manual',
      statement_descriptor_suffix: `N${orderId.slice(0, 8).toUpperCase()}`,
    },
    metadata: { format: '2', kind: 'offer', days: '3', order: orderId },
  })
  expect(request.custom_text!.submit).toMatchObject({
    message: expect.stringMatching(/^Your bank holds 500\u00a0€ now\./),
  })
  expect(await (await fetch(url)).text()).toContain('only if the owner accepts your offer')
})

test.each([0.49, 1_000_000, 9.999, -1, '90', null, Number.NaN, [90]])('a price of %s is refused', async (price) => {
  const response = await makeOffer(payments, peers.givenBuyer(), offerFor(peers.givenItem(), { price }))
  expect([response.statusCode, response.json()]).toMatchObject([
    400,
    { code: 'invalid_amount', errors: [{ path: 'price' }] },
  ])
})

test.each([0, 2, 7, '3', null, 3.5])('%s days are refused', async (days) => {
  const response = await makeOffer(payments, peers.givenBuyer(), offerFor(peers.givenItem(), { days }))
  expect([response.statusCode, response.json()]).toMatchObject([
    400,
    { code: 'invalid_days', errors: [{ path: 'days' }] },
  ])
})

test.each([
  [0.5, 50],
  [999_999.99, 99_999_999],
  [0.57, 57],
])('%s € can be offered', async (price, cents) => {
  const { orderId } = await givenOpenOffer(payments, { body: { price } })
  expect(peers.bids.get(orderId)!.begun.limitCents).toBe(cents)
})

test('who may not buy may not offer', async () => {
  const item = peers.givenItem()
  const offer = (buyer: ReturnType<typeof peers.givenBuyer>, changes = {}) =>
    answerOf(makeOffer(payments, buyer, offerFor(item, changes)))
  const own = peers.givenBuyer()
  const ownItem = peers.givenItem({ sellerId: own.userId })
  const deleted = peers.givenBuyer()
  peers.accounts.delete(deleted.userId)

  expect(await answerOf(app.inject({ method: 'POST', url: '/api/offers', payload: offerFor(item) }))).toEqual([
    401,
    'unauthenticated',
  ])
  expect(await answerOf(makeOffer(payments, own, offerFor(ownItem)))).toEqual([403, 'own_item'])
  expect(await offer(peers.givenBuyer({ suspended: true }))).toEqual([403, 'suspended'])
  expect(await offer(peers.givenBuyer({ suspended: true }), { deliverTo: 'custody' })).toEqual([403, 'suspended'])
  expect(await offer(peers.givenBuyer({ wallet: null }))).toEqual([400, 'wallet_required'])
  expect(await offer(deleted)).toEqual([401, 'unauthenticated'])
  expect(await offer(deleted, { deliverTo: 'custody' })).toEqual([401, 'unauthenticated'])
  expect(await offer(peers.givenBuyer(), { termsVersion: 'another' })).toEqual([400, 'invalid_terms'])
  expect(await answerOf(makeOffer(payments, own, { ...offerFor(item), itemId: 'x' }))).toEqual([400, 'invalid_request'])
  expect(await answerOf(makeOffer(payments, own, { ...offerFor(item), itemId: randomUUID() }))).toEqual([
    404,
    'item_not_found',
  ])
})

test.each([
  conflict('no_offers', 'no'),
  conflict('too_low', 'too low', { details: { minimum: 120 } }),
  conflict('work_contested', 'contested'),
  conflict('recipient_refuses', 'refuses'),
  unavailable('offers_off', 'off'),
])('what catalog refuses ends the order without a page ($code)', async (refusal) => {
  const [buyer, item] = [peers.givenBuyer(), peers.givenItem()]
  peers.beginning.refusal = refusal as ExpectedError
  const response = await makeOffer(payments, buyer, offerFor(item))
  expect([response.statusCode, response.json()]).toMatchObject([
    refusal.statusCode,
    { code: refusal.code, ...(refusal.extras.details ? { details: refusal.extras.details } : {}) },
  ])
  const { id } = await db
    .selectFrom('orders')
    .select('id')
    .where('buyerId', '=', buyer.userId)
    .executeTakeFirstOrThrow()
  expect(await stateOf(id)).toBe('released')
  const events = (await publishedEvents(payments)).filter(({ data }) => data.orderId === id)
  expect(events).toMatchObject([{ name: 'payments.bid-released.v1', data: { why: 'not_held' } }])
  expect(events[0]!.data).not.toHaveProperty('held')
  expect(await ordersOf(buyer, 'offers')).toEqual([])
  expect(await findOrder(db, id)).toMatchObject({ nextRunAt: null, sessionRequest: null })
})

test('while catalog does not respond nothing is offered, and the next click continues the order', async () => {
  const [buyer, item] = [peers.givenBuyer(), peers.givenItem()]
  peers.failing.add('catalog after')
  expect(await answerOf(makeOffer(payments, buyer, offerFor(item)))).toEqual([503, 'payments_unavailable'])
  peers.failing.clear()
  const second = await makeOffer(payments, buyer, offerFor(item))
  expect(second.statusCode).toBe(200)
  expect([...peers.bids.values()].filter(({ begun }) => begun.buyerId === buyer.userId)).toHaveLength(1)
})

test('a second click returns the same page, of clicks at once too', async () => {
  const buyer = peers.givenBuyer()
  const body = offerFor(peers.givenItem())
  const clicks = await Promise.all([1, 2, 3].map(() => makeOffer(payments, buyer, body)))
  const again = await makeOffer(payments, buyer, body)
  const pages = new Set([...clicks, again].map((response) => response.json().url))
  expect([...clicks, again].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200])
  expect(pages.size).toBe(1)
})

test('a click with the id in capital letters returns the same page', async () => {
  const { buyer, item, url, orderId } = await givenOpenOffer(payments)
  const again = await makeOffer(payments, buyer, offerFor(item, { itemId: item.itemId.toUpperCase() }))
  expect(again.json()).toMatchObject({ url, orderId })
})

test('a click while the former page is being closed opens another', async () => {
  const { buyer, item, orderId } = await givenOpenOffer(payments)
  // As a cancellation leaves it whose process has ended.
  await db.updateTable('orders').set({ cancelRequestedBy: 'buyer' }).where('id', '=', orderId).execute()
  const second = await makeOffer(payments, buyer, offerFor(item))
  expect([second.statusCode, second.json().orderId === orderId]).toEqual([200, false])
  expect(await stateOf(orderId)).toBe('released')
})

test.each([
  ['work', { itemId: randomUUID() }],
  ['amount', { priceCents: 9_100 }],
])('no page opens when catalog has begun an offer of another %s', async (_what, other) => {
  const buyer = peers.givenBuyer()
  Object.assign(peers.beginning, { other })
  expect(await answerOf(makeOffer(payments, buyer, offerFor(peers.givenItem())))).toEqual([503, 'payments_unavailable'])
  const orders = db.selectFrom('orders').select(['id', 'sessionRequest']).where('buyerId', '=', buyer.userId)
  const { id, sessionRequest } = await orders.executeTakeFirstOrThrow()
  expect([await stateOf(id), sessionRequest]).toEqual(['placed', null])
})

test.each([
  ['price', { price: 95 }],
  ['days', { days: 5 }],
  ['recipient', { deliverTo: 'custody' }],
])('another %s closes the former page and opens another', async (_what, changes) => {
  const { buyer, item, orderId } = await givenOpenOffer(payments)
  const second = await makeOffer(payments, buyer, offerFor(item, changes))
  expect([second.statusCode, second.json().orderId === orderId]).toEqual([200, false])
  expect(await stateOf(orderId)).toBe('released')
  expect(await stateOf(second.json().orderId)).toBe('awaiting_payment')
  const { entries } = await sandbox.ledger()
  expect(
    entries.filter(({ kind, reference }: any) => kind === 'session_expired' && reference === orderId),
  ).toHaveLength(1)
})

test('another price while the former page is being paid gives its hold back', async () => {
  const offer = await givenOpenOffer(payments)
  await sandbox.pay(offer.url)
  const second = await makeOffer(payments, offer.buyer, offerFor(offer.item, { price: 95 }))
  expect([second.statusCode, second.json().orderId === offer.orderId]).toEqual([200, false])
  expect(await lines(payments, offer.orderId)).toMatchObject([{ state: 'released', note: 'withdrawn' }])
  expect(await findOrder(db, offer.orderId)).toMatchObject({ money: 'released' })
})

test('a second offer is refused while the card is held for the first, and allowed after it is withdrawn', async () => {
  const offer = await givenOpenOffer(payments)
  await pay(offer)
  expect(await view(payments, offer)).toMatchObject({ state: 'held', cancellable: true })
  for (const changes of [{}, { price: 95 }])
    expect(await answerOf(makeOffer(payments, offer.buyer, offerFor(offer.item, changes)))).toEqual([
      409,
      'offer_exists',
    ])
  expect(await answerOf(makeOffer(payments, peers.givenBuyer(), offerFor(offer.item)))).toEqual([200, 'success'])

  expect((await cancel(payments, offer)).json()).toMatchObject({ state: 'released', lines: [{ reason: 'lost' }] })
  expect(await answerOf(makeOffer(payments, offer.buyer, offerFor(offer.item)))).toEqual([200, 'success'])
})

test('paid between two clicks: the second one says that the offer exists', async () => {
  const offer = await givenOpenOffer(payments)
  await sandbox.pay(offer.url)
  expect(await answerOf(makeOffer(payments, offer.buyer, offerFor(offer.item)))).toEqual([409, 'offer_exists'])
  expect(await stateOf(offer.orderId)).toBe('held')
})

test('nobody offers for a work that the account is buying; who has an offer can buy it', async () => {
  const [buyer, item] = [peers.givenBuyer(), peers.givenItem()]
  const bought = await start(payments, buyer, cartOf(item))
  expect(await answerOf(makeOffer(payments, buyer, offerFor(item)))).toEqual([409, 'already_buying'])
  await cancel(payments, { orderId: bought.json().orderId, buyer })
  item.reservedBy = null

  await pay(await givenOpenOffer(payments, { buyer, item }))
  expect((await start(payments, buyer, cartOf(item))).statusCode).toBe(200)
})

test('an accepted offer is listed among the purchases, any other among the offers only', async () => {
  const offer = await givenOpenOffer(payments)
  await pay(offer)
  expect([await ordersOf(offer.buyer), await ordersOf(offer.buyer, 'offers')]).toEqual([[], [offer.orderId]])
  peers.acceptOffer(offer.orderId)
  await sql`update orders set next_run_at = now() where id = ${offer.orderId}`.execute(db)
  await runDueSteps(deps)
  expect([await ordersOf(offer.buyer), await ordersOf(offer.buyer, 'offers')]).toEqual([
    [offer.orderId],
    [offer.orderId],
  ])
  expect(await answerOf(makeOffer(payments, offer.buyer, offerFor(offer.item)))).toEqual([409, 'already_buying'])
  const another = { ...offerFor(offer.item), price: 95 }
  expect(await answerOf(makeOffer(payments, offer.buyer, another))).toEqual([409, 'already_buying'])
})

test("somebody else's offer is not found", async () => {
  const { orderId } = await givenOpenOffer(payments)
  const other = { orderId, buyer: peers.givenBuyer() }
  expect((await cancel(payments, other)).statusCode).toBe(404)
  expect(await view(payments, other)).toMatchObject({ code: 'order_not_found' })
})

test('three pages of offers are open at once, beside those of purchases', async () => {
  const buyer = peers.givenBuyer()
  for (let count = 0; count < 3; count++)
    expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(200)
  const open = []
  for (let count = 0; count < 3; count++) open.push(await givenOpenOffer(payments, { buyer }))
  const fourth = await makeOffer(payments, buyer, offerFor(peers.givenItem()))
  expect([fourth.statusCode, Number(fourth.headers['retry-after']) > 60]).toEqual([429, true])

  expect(await answerOf(makeOffer(payments, buyer, offerFor(open[0]!.item, { price: 91 })))).toEqual([200, 'success'])
  await cancel(payments, open[1]!)
  expect(await answerOf(makeOffer(payments, buyer, offerFor(peers.givenItem())))).toEqual([200, 'success'])
})

/** Copies of an order with its line, released, held or as it is. */
const copies = async (orderId: string, count: number, state: 'released' | 'held') => {
  const { rows } = await sql<{ id: string }>`
    insert into orders (id, order_kind, days, buyer_id, wallet, terms_version, total_cents, commission_bps, expires_at)
    select gen_random_uuid(), order_kind, days, buyer_id, wallet, terms_version, total_cents, commission_bps, expires_at
    from orders, generate_series(1, ${count}) where id = ${orderId} returning id`.execute(db)
  for (const { id } of rows) {
    await sql`
      insert into line (id, order_id, position, buyer_id, item_id, conditional, price_cents, contract, identifier, name,
        image, seller_id, creator_id, royalty_bps, listing_version)
      select gen_random_uuid(), ${id}, 0, buyer_id, gen_random_uuid(), conditional, price_cents, contract, identifier,
        name, image, seller_id, creator_id, royalty_bps, listing_version
      from line where order_id = ${orderId}`.execute(db)
    if (state === 'held') {
      await sql`update line set state = 'awaiting_payment' where order_id = ${id}`.execute(db)
      await sql`update line set state = 'held' where order_id = ${id}`.execute(db)
    } else await sql`update line set state = 'released', reason = 'cancelled' where order_id = ${id}`.execute(db)
  }
}

test('thirty offers are started in an hour, and none of them counts as a purchase', async () => {
  const offer = await givenOpenOffer(payments)
  await cancel(payments, offer)
  await copies(offer.orderId, 28, 'released')
  await givenOpenOffer(payments, { buyer: offer.buyer })
  const refused = await makeOffer(payments, offer.buyer, offerFor(peers.givenItem()))
  expect([refused.statusCode, Number(refused.headers['retry-after']) > 60]).toEqual([429, true])
  expect((await start(payments, offer.buyer, cartOf(offer.item, peers.givenItem()))).statusCode).toBe(409)
  offer.item.forSale = true
  expect((await start(payments, offer.buyer, cartOf(offer.item, peers.givenItem()))).statusCode).toBe(200)

  await sql`update orders set created_at = created_at - interval '61 minutes' where buyer_id = ${offer.buyer.userId}`.execute(
    db,
  )
  expect((await makeOffer(payments, offer.buyer, offerFor(peers.givenItem()))).statusCode).toBe(200)
})

test('twenty offers of an account are held at once', async () => {
  const offer = await givenOpenOffer(payments)
  await pay(offer)
  await copies(offer.orderId, 18, 'held')
  const last = await givenOpenOffer(payments, { buyer: offer.buyer })
  expect(await answerOf(makeOffer(payments, offer.buyer, offerFor(peers.givenItem())))).toEqual([
    429,
    'too_many_offers',
  ])
  await cancel(payments, last)
  expect(await answerOf(makeOffer(payments, offer.buyer, offerFor(peers.givenItem())))).toEqual([200, 'success'])
})

test('offers that start at once are counted one after the other', async () => {
  const buyer = peers.givenBuyer()
  for (let count = 0; count < 2; count++) await givenOpenOffer(payments, { buyer })
  const blocking = await db.startTransaction().execute()
  await sql`lock table orders in share mode`.execute(blocking)
  const starting = [1, 2].map(() => makeOffer(payments, buyer, offerFor(peers.givenItem())))
  await waitForBlockedQuery(db, { count: 2 }).finally(() => blocking.commit().execute())
  expect((await Promise.all(starting)).map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 429])
})

test('after ten declined cards in a day, or a lost dispute, no offer begins', async () => {
  const declined = await givenOpenOffer(payments)
  await cancel(payments, declined)
  for (let card = 0; card < 10; card++)
    await sql`
      insert into stripe_inbox (event_id, type, created, order_id, fetched, handled_at)
      values (${randomUUID()}, ${DECLINED}, now(), ${declined.orderId}, false, now())`.execute(db)
  expect((await makeOffer(payments, declined.buyer, offerFor(peers.givenItem()))).statusCode).toBe(429)
  expect((await start(payments, declined.buyer, cartOf(peers.givenItem()))).statusCode).toBe(429)

  const disputed = await givenOpenOffer(payments)
  await sql`
    insert into reversal (id, kind, order_id, status, created_at)
    values (${randomUUID()}, 'dispute', ${disputed.orderId}, 'lost', now())`.execute(db)
  expect(await answerOf(makeOffer(payments, disputed.buyer, offerFor(peers.givenItem())))).toEqual([
    403,
    'purchase_blocked',
  ])
})

test('while sales are paused no offer begins, and an open page goes on', async () => {
  const offer = await givenOpenOffer(payments)
  await sql`insert into sales_pause (until, operator, reason) values (now() + interval '1 hour', 'o', 'r')`.execute(db)
  expect(await answerOf(makeOffer(payments, peers.givenBuyer(), offerFor(offer.item)))).toEqual([503, 'sales_paused'])
  expect((await makeOffer(payments, offer.buyer, offerFor(offer.item))).json()).toMatchObject({ url: offer.url })
  await sql`delete from sales_pause`.execute(db)
})

test('into custody the order has no wallet', async () => {
  const { orderId } = await givenOpenOffer(payments, {
    buyer: peers.givenBuyer({ wallet: null }),
    body: { deliverTo: 'custody' },
  })
  expect(await findOrder(db, orderId)).toMatchObject({ wallet: null, orderKind: 'offer', days: 3 })
  expect(peers.bids.get(orderId)!.begun).toMatchObject({ buyerWallet: null })
})

test('the page of an offer into custody is not returned to a suspended account', async () => {
  const custody = { deliverTo: 'custody' }
  const { buyer, item } = await givenOpenOffer(payments, { body: custody })
  peers.accounts.get(buyer.userId)!.suspended = true
  expect(await answerOf(makeOffer(payments, buyer, offerFor(item, custody)))).toEqual([403, 'suspended'])
})
