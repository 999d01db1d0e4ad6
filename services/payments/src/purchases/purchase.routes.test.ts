import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { wallet } from '../testing/peers.ts'
import { cartOf, givenOpenOrder, lines, publishedEvents, start, view } from '../testing/sale.ts'
import { saveTermsVersion } from './terms.store.ts'

const payments = await startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })
const { peers, sandbox, db, app } = payments
const sessionsMade = async () =>
  (await sandbox.ledger()).entries.filter(({ kind }: { kind: string }) => kind === 'session_created').length

test('a purchase returns the URL of the processor’s page, with amounts and texts of the store only', async () => {
  const item = peers.givenItem()
  const buyer = peers.givenBuyer()
  const evil = { success_url: 'https://evil.test', url: 'x', currency: 'usd', customer: 'cus_1', metadata: { a: 1 } }
  const response = await start(payments, buyer, { ...cartOf(item), ...evil, termsVersion: '2025-02-13' })

  expect(response.statusCode).toBe(200)
  const { success, url, orderId } = response.json()
  expect(success).toBe(true)
  expect(new URL(url).origin).toBe(sandbox.url)
  expect(await view(payments, { orderId, buyer })).toMatchObject({
    state: 'awaiting_payment',
    total: 120,
    captured: 0,
    termsVersion: '2025-02-13',
    cancellable: true,
    url,
    lines: [{ itemId: item.itemId, price: 120, name: 'Dusk', sellerUsername: '@cleo' }],
  })
  const order = await db.selectFrom('orders').selectAll().where('id', '=', orderId).executeTakeFirstOrThrow()
  expect(JSON.stringify(order.sessionRequest)).not.toContain('evil')
  expect(peers.reservationRequests.at(-1)).toMatchObject({
    orderId,
    buyerWallet: buyer && expect.stringMatching(/^0x[0-9a-f]{40}$/),
  })
})

test('a purchase without a token is a 401, without a wallet a 400, of a suspended account a 403, of a deleted one a 401', async () => {
  const cart = cartOf(peers.givenItem())
  const anonymous = await app.inject({ method: 'POST', url: '/api/nfts/test', payload: cart })
  expect(anonymous.statusCode).toBe(401)

  const noWallet = await start(payments, peers.givenBuyer({ wallet: null }), cart)
  expect(noWallet.statusCode).toBe(400)
  expect(noWallet.json()).toMatchObject({ success: false, message: 'Please connect your Metamask account.' })

  expect((await start(payments, peers.givenBuyer({ suspended: true }), cart)).statusCode).toBe(403)
  const gone = peers.givenBuyer()
  peers.accounts.delete(gone.userId)
  expect((await start(payments, gone, cart)).statusCode).toBe(401)
})

test('terms that were never in force are a 400, those before for two days and none given are accepted', async () => {
  const { terms } = payments.config
  for (const each of [{ ...terms, version: '2024-05-01' }, terms]) await saveTermsVersion(db, each)
  const buy = async (termsVersion?: string) => {
    const response = await start(payments, peers.givenBuyer(), { ...cartOf(peers.givenItem()), termsVersion })
    return response.json()
  }
  expect(await buy('none-of-yours')).toMatchObject({ code: 'invalid_terms' })
  expect(await buy('2024-05-01')).toMatchObject({ success: true })
  await sql`update terms_version set replaced_at = replaced_at - interval '2 days'`.execute(db)
  expect(await buy('2024-05-01')).toMatchObject({ code: 'invalid_terms' })
  const { orderId } = await buy()
  const order = await db.selectFrom('orders').select('termsVersion').where('id', '=', orderId).executeTakeFirst()
  expect(order).toEqual({ termsVersion: terms.version })
})

test('a version of the terms is stored once, with its text, its day and its first day', async () => {
  const [version, day] = ['2024-06-01', '2024-06-02']
  const stored = async () =>
    db
      .selectFrom('termsVersion')
      .select(['text', sql<string>`effective_day::text`.as('day'), sql<boolean>`first_day = current_date`.as('isNew')])
      .where('version', '=', version)
      .executeTakeFirst()
  // A program of the release before stores no text.
  await db.insertInto('termsVersion').values({ version, replacedAt: null, effectiveDay: null, text: null }).execute()

  await saveTermsVersion(db, { version, effectiveDay: day, text: 'All sales are final.' })
  expect(await stored()).toEqual({ text: 'All sales are final.', day, isNew: true })

  const { text } = await saveTermsVersion(db, { version, effectiveDay: null, text: 'No sale is final.' })
  expect(text).toBe('All sales are final.')
  expect(await stored()).toMatchObject({ text })
  await saveTermsVersion(db, payments.config.terms)
})

test('a purchase into custody needs no wallet', async () => {
  const buyer = peers.givenBuyer({ wallet: null })
  const cart = cartOf(peers.givenItem())
  const response = await start(payments, buyer, { ...cart, deliverTo: 'custody' })
  expect(response.statusCode).toBe(200)
  const { orderId, url } = response.json()
  expect(peers.reservationRequests.at(-1)).toMatchObject({ orderId, buyerWallet: null })
  expect(await view(payments, { orderId, buyer })).toMatchObject({ state: 'awaiting_payment', wallet: null })

  expect((await start(payments, buyer, { ...cart, deliverTo: 'custody' })).json()).toMatchObject({ orderId, url })
  Object.assign(peers.accounts.get(buyer.userId)!, { wallet })
  const other = await start(payments, buyer, cart)
  expect(other.statusCode).toBe(409)
  expect(other.json()).toMatchObject({ code: 'already_buying' })
})

test('a purchase into custody of a suspended account is a 403, of a deleted one a 401, and reserves nothing', async () => {
  const cart = cartOf(peers.givenItem())
  const custody = { ...cart, deliverTo: 'custody' }
  const before = peers.reservationRequests.length
  const suspended = peers.givenBuyer({ suspended: true })
  expect(await start(payments, suspended, custody)).toMatchObject({ statusCode: 403 })
  const gone = peers.givenBuyer()
  peers.accounts.delete(gone.userId)
  expect(await start(payments, gone, custody)).toMatchObject({ statusCode: 401 })
  expect(peers.reservationRequests).toHaveLength(before)

  const buyer = peers.givenBuyer()
  expect(await start(payments, buyer, custody)).toMatchObject({ statusCode: 200 })
  peers.accounts.get(buyer.userId)!.suspended = true
  expect(await start(payments, buyer, custody)).toMatchObject({ statusCode: 403 })
})

test('a purchase into custody reads the account from auth once', async () => {
  const before = peers.buyerRequests.length
  const { userId, headers } = peers.givenBuyer({ wallet: null })
  await start(payments, { userId, headers }, { ...cartOf(peers.givenItem()), deliverTo: 'custody' })
  expect(peers.buyerRequests.slice(before)).toEqual([userId])
})

test.each([null, 'house', 1, ['custody']])(
  'a purchase with deliverTo %j is a 400 beside the field',
  async (deliverTo) => {
    const response = await start(payments, peers.givenBuyer(), { ...cartOf(peers.givenItem()), deliverTo })
    expect(response.statusCode).toBe(400)
    expect(response.json().errors).toMatchObject([{ path: 'deliverTo' }])
  },
)

test('catalog’s refusal is returned unchanged, and neither reserves an item nor creates a session', async () => {
  const before = await sessionsMade()
  const buyer = peers.givenBuyer()
  const own = peers.givenItem({ sellerId: buyer.userId })
  const gone = peers.givenItem({ forSale: false })
  const item = peers.givenItem()

  expect((await start(payments, buyer, cartOf(own))).json()).toMatchObject({ message: 'You cannot buy your own item' })
  const sold = await start(payments, buyer, cartOf(gone))
  expect([sold.statusCode, sold.json().message]).toEqual([409, 'This item is not for sale'])
  const cheaper = await start(payments, buyer, cartOf({ ...item, priceCents: 5_000 }))
  expect([cheaper.statusCode, cheaper.json().message]).toEqual([409, 'The price has changed, please reload'])
  expect((await start(payments, buyer, cartOf({ ...item, itemId: randomUUID() }))).statusCode).toBe(404)

  expect(await sessionsMade()).toBe(before)
  const mine = await app.inject({ method: 'GET', url: '/api/orders', headers: buyer.headers })
  expect(mine.json()).toEqual({ orders: [] })
  const open = await db
    .selectFrom('line')
    .select('id')
    .where('buyerId', '=', buyer.userId)
    .where('state', '!=', 'released')
    .execute()
  expect(open).toEqual([])
  const events = (await publishedEvents(payments, 'order-line-abandoned')).map(({ data }) => data.itemId)
  expect(events).toEqual(expect.arrayContaining([own.itemId, gone.itemId, item.itemId]))
})

test('twenty concurrent requests create one session, and all return its URL', async () => {
  const before = await sessionsMade()
  const buyer = peers.givenBuyer()
  const cart = cartOf(peers.givenItem())
  const responses = await Promise.all(Array.from({ length: 20 }, () => start(payments, buyer, cart)))
  expect(new Set(responses.map(({ statusCode, json }) => (statusCode === 200 ? json().url : statusCode))).size).toBe(1)
  expect(responses[0]!.statusCode).toBe(200)
  expect(await sessionsMade()).toBe(before + 1)

  const again = await start(payments, buyer, cart)
  expect(again.json().url).toBe(responses[0]!.json().url)
})

test('of many concurrent buyers one gets a session and the others a 409', async () => {
  const item = peers.givenItem()
  const responses = await Promise.all(
    Array.from({ length: 15 }, () => start(payments, peers.givenBuyer(), cartOf(item))),
  )
  const won = responses.filter(({ statusCode }) => statusCode === 200)
  expect(won).toHaveLength(1)
  const lost = responses.filter((response) => response !== won[0])
  expect(new Set(lost.map(({ statusCode }) => statusCode))).toEqual(new Set([409]))
})

test('several items are reserved together and paid in one session', async () => {
  const items = [peers.givenItem(), peers.givenItem({ priceCents: 8_050 })]
  const { orderId } = await givenOpenOrder(payments, { items })
  expect((await lines(payments, orderId)).map(({ priceCents, state }) => [priceCents, state])).toEqual([
    [12_000, 'awaiting_payment'],
    [8_050, 'awaiting_payment'],
  ])
})

test('an item in an open order cannot be bought again together with another one', async () => {
  const { buyer, items, orderId } = await givenOpenOrder(payments)
  const both = await start(payments, buyer, cartOf(...items, peers.givenItem()))
  expect([both.statusCode, both.json().code, both.json().details]).toEqual([409, 'already_buying', { orderId }])
})

test.each([
  ['a number', 5],
  ['text', '"x"'],
  ['null', null],
  ['a list', [1]],
  ['other fields', { items: [{ _id: randomUUID(), price: { $ne: 1 } }], amount: {} }],
  ['a wrong terms version', { amount: 1, items: [{ _id: randomUUID(), price: 1 }], termsVersion: '<script>' }],
  ['NUL', { amount: 1, items: [{ _id: `${randomUUID()}\0`, price: 1 }] }],
])('%s as a request is a 4xx', async (_what, payload) => {
  const { headers } = peers.givenBuyer()
  const response = await app.inject({
    method: 'POST',
    url: '/api/nfts/test',
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  })
  expect(response.statusCode).toBeGreaterThanOrEqual(400)
  expect(response.statusCode).toBeLessThan(500)
})
