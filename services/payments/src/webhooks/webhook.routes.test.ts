import { gzipSync } from 'node:zlib'
import { getNewestWebhook, TEST_EVENT } from '@nifty/api/payments/processor-events'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { startTestPayments, webhookSecret } from '../testing/payments.ts'

const oldSecret = 'whsec_before_rotation'
const payments = await startTestPayments({
  manual: true,
  env: { STRIPE_WEBHOOK_SECRET: `${webhookSecret}, ${oldSecret}` },
})
const { app, db } = payments
const url = '/api/payments/webhook'

const eventOf = (changes: object = {}) => ({
  id: `evt_${crypto.randomUUID()}`,
  object: 'event',
  api_version: '2026-10-28.endive',
  created: Math.floor(Date.now() / 1000),
  livemode: false,
  type: 'checkout.session.completed',
  data: { object: { id: 'cs_foreign', object: 'checkout.session', client_reference_id: null, metadata: {} } },
  ...changes,
})
const stored = async (eventId: string) =>
  (await db.selectFrom('stripeInbox').select('eventId').where('eventId', '=', eventId).execute()).length

type Sent = { secret?: string; ageS?: number; body?: string | Buffer; headers?: Record<string, string> }

async function send(event: ReturnType<typeof eventOf>, { secret = webhookSecret, ageS = 0, body, headers }: Sent = {}) {
  const payload = JSON.stringify(event, null, 2)
  const timestamp = Math.floor(Date.now() / 1000) - ageS
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  const sent = { 'content-type': 'application/json', 'stripe-signature': signature, ...headers }
  return app.inject({ method: 'POST', url, headers: sent, payload: body ?? payload })
}

test('a signed event that arrives several times at once is stored once', async () => {
  const event = eventOf()
  const responses = await Promise.all(Array.from({ length: 5 }, () => send(event)))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200])
  expect(await stored(event.id)).toBe(1)
})

test("an operator sees when the processor's newest webhook arrived; events that operators send do not count", async () => {
  const before = Date.now()
  await send(eventOf({ created: Math.floor(before / 1000) + 60 }))
  const { receivedAt } = await payments.internal(getNewestWebhook)
  expect(Date.parse(receivedAt!)).toBeGreaterThanOrEqual(before - 1_000)

  await send(eventOf({ type: TEST_EVENT, created: Math.floor(before / 1000) + 120 }))
  expect(await payments.internal(getNewestWebhook)).toEqual({ receivedAt })
})

test('during a rotation both webhook secrets are accepted', async () => {
  const event = eventOf()
  expect((await send(event, { secret: oldSecret })).statusCode).toBe(200)
  expect(await stored(event.id)).toBe(1)
})

test.each([
  ['signed with another secret', { secret: 'whsec_forged' }],
  ['older than five minutes', { ageS: 301 }],
  ['from the future', { ageS: -301 }],
  ['altered after it was signed', { body: JSON.stringify({ id: 'evt_x', type: 'charge.captured' }) }],
  ['unsigned', { headers: { 'stripe-signature': '' } }],
  ['signed with nonsense', { headers: { 'stripe-signature': 't=1,v1=zz,v0=' } }],
  ['compressed', { headers: { 'content-encoding': 'gzip' } }],
  ['actually compressed', { body: gzipSync('{}'), headers: { 'content-encoding': 'gzip' } }],
])('an event that is %s is a 400 and not stored', async (_how, sent) => {
  const event = eventOf()
  const response = await send(event, sent)
  expect(response.statusCode).toBe(400)
  expect(await stored(event.id)).toBe(0)
})

test('an event with other white space than the signed bytes is refused', async () => {
  const event = eventOf()
  expect((await send(event, { body: JSON.stringify(event) })).statusCode).toBe(400)
})

test('an event of the live mode is refused by a store in test mode', async () => {
  const event = eventOf({ livemode: true })
  expect((await send(event)).statusCode).toBe(400)
  expect(await stored(event.id)).toBe(0)
})

test('more than 256 KB is a 413, another method a 405', async () => {
  expect((await send(eventOf(), { body: Buffer.alloc(257 * 1024, 'a') })).statusCode).toBe(413)
  expect((await send(eventOf({ data: { object: { text: 'a'.repeat(200 * 1024) } } }))).statusCode).toBe(200)
  expect((await app.inject({ method: 'GET', url })).statusCode).toBe(405)
})

test.each([
  ['nothing', null],
  ['odd values', { id: 5, object: 'payment_intent', metadata: { order: { a: 1 } } }],
  ['NUL', { id: 'dp_\0', object: 'dispute', payment_intent: 'pi_\0', reason: '\0', amount: 'x' }],
  ['no metadata', { id: 'ch_1', object: 'charge', payment_intent: null, metadata: null }],
])('a signed event with %s is stored', async (_what, object) => {
  expect((await send(eventOf({ data: { object: object ?? {} } }))).statusCode).toBe(200)
})

test.each([
  ['no data', { data: undefined }],
  ['null as data', { data: null }],
  ['null as object', { data: { object: null } }],
  ['a text as object', { data: { object: 'cs_1' } }],
  ['a text as time', { created: 'yesterday' }],
  ['a time beyond the calendar', { created: 1e15 }],
])('a signed event with %s is stored', async (_what, changes) => {
  const event = eventOf(changes)
  expect((await send(event)).statusCode).toBe(200)
  expect(await stored(event.id)).toBe(1)
})

test.each(['evt_\0', 'evt_\ud800'])('a signed event whose id the database cannot store is a 400', async (id) => {
  expect((await send(eventOf({ id }))).statusCode).toBe(400)
})

test('no card or personal data of an event is stored', async () => {
  const object = { id: 'cs_1', object: 'checkout.session', customer_details: { email: 'secret@example.com' } }
  const event = eventOf({ data: { object } })
  await send(event)
  const row = await db.selectFrom('stripeInbox').selectAll().where('eventId', '=', event.id).executeTakeFirst()
  expect(JSON.stringify(row)).not.toContain('secret@example.com')
})
