import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestPayments } from '../../testing/payments.ts'
import { cartOf, givenOpenOrder, lines, publishedEvents, start } from '../../testing/sale.ts'
import { findOrder } from '../order.store.ts'
import { runStep } from '../run-step.ts'

const payments = await startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })
const { peers, sandbox, db, deps } = payments
const create = 'POST /v1/checkout/sessions'
/** Stripe's package repeats a call whose connection was closed, once and with the same key. */
const times = 2

const sessionsOf = async (orderId: string) => {
  const { entries } = await sandbox.ledger()
  return entries.filter((entry: any) => entry.kind === 'session_created' && entry.reference === orderId).length
}
const orderOf = async (buyerId: string) =>
  (await db.selectFrom('orders').select('id').where('buyerId', '=', buyerId).executeTakeFirstOrThrow()).id

test.each([
  ['a response lost after the session was created', { mode: 'timeout_after', delayMs: 10, times }],
  ['a call that never arrives', { mode: 'timeout_before', delayMs: 10, times }],
  ['a 500 of the processor before its effect', { mode: 'error_before' }],
  ['a rate limit of the processor', { mode: 'rate_limit' }],
])('%s: the first request is a 503, and the second returns the only session', async (_when, fault) => {
  const buyer = peers.givenBuyer()
  const cart = cartOf(peers.givenItem())
  await sandbox.fault({ request: create, ...fault })
  const first = await start(payments, buyer, cart)
  expect([first.statusCode, first.json().message]).toEqual([503, 'Payments are temporarily unavailable'])

  const second = await start(payments, buyer, cart)
  expect(second.statusCode).toBe(200)
  expect(await sessionsOf(second.json().orderId)).toBe(1)
})

test('after an error stored under the idempotency key the created session is found', async () => {
  const buyer = peers.givenBuyer()
  const cart = cartOf(peers.givenItem())
  await sandbox.fault({ request: create, mode: 'error_after' })
  expect((await start(payments, buyer, cart)).statusCode).toBe(503)

  const { orderId, url } = (await start(payments, buyer, cart)).json()
  expect(url).toContain(sandbox.url)
  expect(await sessionsOf(orderId)).toBe(1)
})

test('an error stored under the idempotency key without a session releases the item', async () => {
  const buyer = peers.givenBuyer()
  const cart = cartOf(peers.givenItem())
  await sandbox.fault({ request: create, mode: 'error_before', stored: true })
  expect((await start(payments, buyer, cart)).statusCode).toBe(503)
  expect((await start(payments, buyer, cart)).statusCode).toBe(503)
  const orderId = await orderOf(buyer.userId)
  expect((await lines(payments, orderId)).map(({ state }) => state)).toEqual(['released'])
  expect((await publishedEvents(payments, 'order-line-released')).map(({ data }) => data.orderId)).toContain(orderId)
})

test('a session whose key is older than a day is searched for, never created again', async () => {
  const buyer = peers.givenBuyer()
  await sandbox.fault({ request: create, mode: 'timeout_after', delayMs: 10, times })
  await start(payments, buyer, cartOf(peers.givenItem()))
  const orderId = await orderOf(buyer.userId)
  const aDayAgo = sql<Date>`now() - interval '23 hours 1 minute'`
  await db.updateTable('orders').set({ sessionRequestedAt: aDayAgo }).where('id', '=', orderId).execute()

  await runStep(deps, orderId)
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'awaiting_payment' }])
  expect(await sessionsOf(orderId)).toBe(1)
})

test('a session request that is repeated later has the parameters that were stored', async () => {
  const buyer = peers.givenBuyer()
  await sandbox.fault({ request: create, mode: 'timeout_before', delayMs: 10, times })
  await start(payments, buyer, cartOf(peers.givenItem()))
  const orderId = await orderOf(buyer.userId)
  // As if a minute had passed since the first request.
  await sql`update orders set session_request = session_request::jsonb
    || jsonb_build_object('expires_at', (session_request->>'expires_at')::int - 60) where id = ${orderId}`.execute(db)
  const stored = (await findOrder(db, orderId))!.sessionRequest
  const requests: unknown[] = []
  const createSession: typeof deps.processor.createSession = (request, key) => {
    requests.push(request)
    return deps.processor.createSession(request, key)
  }

  await runStep({ ...deps, processor: { ...deps.processor, createSession } }, orderId)

  expect(requests).toEqual([stored])
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'awaiting_payment' }])
})

test('while auth does not respond, the session opens without the buyer’s e-mail address', async () => {
  const buyer = peers.givenBuyer()
  peers.failing.add('catalog')
  await start(payments, buyer, cartOf(peers.givenItem()))
  peers.failing.clear()
  const orderId = await orderOf(buyer.userId)

  peers.failing.add('auth')
  await runStep(deps, orderId)
  peers.failing.clear()
  await runStep(deps, orderId)

  expect(await lines(payments, orderId)).toMatchObject([{ state: 'awaiting_payment' }])
  expect((await findOrder(db, orderId))!.sessionRequest).not.toHaveProperty('customer_email')
})

test('a lost response of catalog repeats the reservation for the same order, and reserves once', async () => {
  const buyer = peers.givenBuyer()
  const item = peers.givenItem()
  peers.failing.add('catalog after')
  expect((await start(payments, buyer, cartOf(item))).statusCode).toBe(503)
  expect(item.reservedBy).not.toBeNull()

  peers.failing.clear()
  const again = await start(payments, buyer, cartOf(item))
  expect([again.statusCode, again.json().orderId]).toEqual([200, item.reservedBy])
})

test('a reservation at another price than ordered opens no payment page', async () => {
  const buyer = peers.givenBuyer()
  const item = peers.givenItem()
  const cart = cartOf(item)
  peers.failing.add('catalog after')
  await start(payments, buyer, cart)
  peers.failing.clear()
  item.priceCents += 1
  expect((await start(payments, buyer, cart)).statusCode).toBe(503)
  const order = db.selectFrom('orders').select(['sessionRequest', 'sessionId']).where('buyerId', '=', buyer.userId)
  expect(await order.execute()).toEqual([{ sessionRequest: null, sessionId: null }])
})

test('while auth is unavailable a purchase is a 503 and nothing is stored', async () => {
  const buyer = peers.givenBuyer()
  peers.failing.add('auth')
  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(503)
  peers.failing.clear()
  expect(await db.selectFrom('orders').select('id').where('buyerId', '=', buyer.userId).execute()).toEqual([])
})

test('while auth is unavailable a purchase into custody is a 503 and reserves nothing', async () => {
  const buyer = peers.givenBuyer({ wallet: null })
  const custody = { ...cartOf(peers.givenItem()), deliverTo: 'custody' }
  const before = peers.reservationRequests.length
  peers.failing.add('auth')
  expect((await start(payments, buyer, custody)).statusCode).toBe(503)
  expect(peers.reservationRequests).toHaveLength(before)

  peers.failing.clear()
  expect((await start(payments, buyer, custody)).statusCode).toBe(200)
})

test('an expiry whose response is lost releases the order once', async () => {
  const { orderId } = await givenOpenOrder(payments)
  await db.updateTable('orders').set({ cancelRequestedBy: 'seller' }).where('id', '=', orderId).execute()
  await sandbox.fault({ request: 'POST /v1/checkout/sessions/*/expire', mode: 'timeout_after', delayMs: 10, times })
  await expect(runStep(deps, orderId)).rejects.toThrow()
  await runStep(deps, orderId)
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'released', reason: 'cancelled', note: 'seller' }])
})

test('a session request after its own expiry is refused by the processor, and the item is freed', async () => {
  const late = await startTestPayments({ manual: true })
  const { peers, sandbox, deps, db } = late
  const buyer = peers.givenBuyer()
  await sandbox.fault({ request: create, mode: 'timeout_before', delayMs: 10, times })
  await start(late, buyer, cartOf(peers.givenItem()))
  const orderId = (await db.selectFrom('orders').select('id').executeTakeFirstOrThrow()).id

  await sandbox.advance(6 * 60_000)
  await runStep(deps, orderId)
  expect(await lines(late, orderId)).toMatchObject([{ state: 'released', reason: 'expired' }])
  expect((await sandbox.ledger()).entries).toEqual([])
})

test('a repeated purchase of a paid or expired session is a 409, also without a webhook', async () => {
  const paid = await givenOpenOrder(payments)
  await sandbox.pay(paid.url)
  const again = await start(payments, paid.buyer, cartOf(...paid.items))
  expect([again.statusCode, again.json().code]).toEqual([409, 'already_buying'])
  expect((await lines(payments, paid.orderId))[0]!.state).toBe('authorised')

  const closed = await givenOpenOrder(payments)
  await sandbox.expire(closed.url.split('/').at(-1)!)
  const back = await start(payments, closed.buyer, cartOf(...closed.items))
  expect([back.statusCode, back.json().code]).toEqual([409, 'page_closed'])
  closed.items[0]!.reservedBy = null
  expect((await start(payments, closed.buyer, cartOf(...closed.items))).statusCode).toBe(200)
})
