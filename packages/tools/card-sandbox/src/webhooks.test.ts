import Stripe from 'stripe'
import { expect, test } from 'vitest'
import {
  givenCapture,
  givenHold,
  givenReceiver,
  givenSession,
  purchase,
  type Received,
  startTestSandbox,
  webhookSecret,
} from './testing/sandbox.ts'

const { webhooks } = new Stripe('sk_test_only_for_checking')

const verify = ({ body, signature }: Received, secret = webhookSecret) =>
  webhooks.constructEvent(body, signature, secret)
const typesOf = (received: Received[]) => received.map(({ event }) => event.type)

test('each event is signed, and the official client verifies and parses it', async () => {
  const { url, received, until } = await givenReceiver()
  const sandbox = await startTestSandbox({ webhook: { url, secret: webhookSecret } })

  const { sessionId } = await givenHold(sandbox)
  await until(() => typesOf(received).includes('checkout.session.completed'))

  const completed = received.find(({ event }) => event.type === 'checkout.session.completed')!
  expect(verify(completed)).toMatchObject({ object: 'event', livemode: false, api_version: Stripe.API_VERSION })
  expect(completed.event.data.object).toMatchObject({ id: sessionId, status: 'complete', payment_status: 'unpaid' })
  expect(() => verify(completed, 'whsec_other')).toThrow()
  expect(completed.event.data.previous_attributes).toBeUndefined()
})

test('an event contains the id and the idempotency key of the API request that caused it', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)
  const { lastResponse } = await sandbox.stripe.paymentIntents.capture(intentId, {}, { idempotencyKey: 'capture:1' })

  const [event] = (await sandbox.stripe.events.list({ type: 'payment_intent.succeeded' })).data

  expect(event!.request).toEqual({ id: lastResponse.requestId, idempotency_key: 'capture:1' })
})

test('an event is retried until it is accepted, with a new signature each time', async () => {
  const { url, received, until } = await givenReceiver((_, count) => (count < 3 ? 500 : 204))
  const sandbox = await startTestSandbox({ webhook: { url, secret: webhookSecret } })
  const { id } = await givenSession(sandbox)
  await sandbox.stripe.checkout.sessions.expire(id)
  await until(() => received.length === 1)
  expect((await sandbox.stripe.events.list({ delivery_success: false })).data).toHaveLength(1)

  await sandbox.advance(60_000)
  await until(() => received.length === 2)
  await expect.poll(async () => (await sandbox.control('/sandbox/webhook')).tries).toHaveLength(2)
  await sandbox.advance(60_000)
  await until(() => received.length === 3)

  expect(new Set(received.map(({ event }) => event.id)).size).toBe(1)
  for (const one of received) verify(one)
  await expect
    .poll(async () => (await sandbox.stripe.events.list({ delivery_success: true })).data)
    .toMatchObject([{ pending_webhooks: 0 }])
})

test('a redirect does not count as accepted', async () => {
  const { url, received, until } = await givenReceiver(() => 302)
  const sandbox = await startTestSandbox({ webhook: { url, secret: webhookSecret } })
  const { id } = await givenSession(sandbox)

  await sandbox.stripe.checkout.sessions.expire(id)
  await until(() => received.length > 1)

  expect((await sandbox.stripe.events.list({ delivery_success: true })).data).toEqual([])
})

test('events are kept until an endpoint is set, and are signed with both secrets while one is rolled', async () => {
  const { url, received, until } = await givenReceiver()
  const sandbox = await startTestSandbox()
  await givenHold(sandbox)

  await sandbox.control('/sandbox/webhook', { url, secrets: ['whsec_old', 'whsec_new'] })
  await until(() => received.length === 4)

  expect(verify(received[0]!, 'whsec_old').id).toBe(verify(received[0]!, 'whsec_new').id)
})

test('an endpoint can be a function, which is called for each delivery', async () => {
  const { url, received, until } = await givenReceiver()
  let current: string | undefined
  const sandbox = await startTestSandbox({ webhook: { url: () => current, secret: webhookSecret } })
  await givenHold(sandbox)

  current = url

  await until(() => received.length === 4)
})

test('events can be lost, repeated and reordered', async () => {
  const { url, received, until } = await givenReceiver()
  const sandbox = await startTestSandbox({ webhook: { url, secret: webhookSecret } })
  await sandbox.control('/sandbox/faults', { webhook: 'charge.succeeded', mode: 'lose' })
  await sandbox.control('/sandbox/faults', { webhook: 'checkout.session.completed', mode: 'repeat', copies: 3 })
  await givenHold(sandbox)
  await until(() => received.length === 5)
  expect(typesOf(received).filter((type) => type === 'checkout.session.completed')).toHaveLength(3)
  expect(typesOf(received)).not.toContain('charge.succeeded')
  const lost = (await sandbox.stripe.events.list({ delivery_success: false })).data
  expect(lost.map(({ type }) => type)).toEqual(['charge.succeeded'])

  await sandbox.control('/sandbox/faults', { webhook: 'charge.captured', mode: 'reorder', window: 2 })
  await givenCapture(sandbox)
  await until(() => received.length === 11)
  expect(typesOf(received).slice(-2)).toEqual(['payment_intent.succeeded', 'charge.captured'])
})

test('an event can be delayed on the sandbox’s clock', async () => {
  const { url, received, until } = await givenReceiver()
  const sandbox = await startTestSandbox({ webhook: { url, secret: webhookSecret } })
  await sandbox.control('/sandbox/faults', { webhook: 'checkout.session.completed', mode: 'delay', delayMs: 3600_000 })
  await givenHold(sandbox)
  await until(() => received.length === 3)
  expect(typesOf(received)).not.toContain('checkout.session.completed')

  await sandbox.advance(3600_000)

  await until(() => received.length === 4)
})

test.each(['stale', 'forge'])('a %s delivery fails verification, the next one passes', async (mode) => {
  const { url, received, until } = await givenReceiver((_, count) => (count === 1 ? 400 : 200))
  const sandbox = await startTestSandbox({ webhook: { url, secret: webhookSecret } })
  await sandbox.control('/sandbox/faults', { webhook: '*', mode })
  const { id } = await givenSession(sandbox)

  await sandbox.stripe.checkout.sessions.expire(id)
  await until(() => received.length === 2)

  expect(() => verify(received[0]!)).toThrow()
  expect(verify(received[1]!).type).toBe('checkout.session.expired')
})

test('an early fraud warning can be raised on a hold', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)

  await sandbox.control('/sandbox/fraud-warnings', { payment_intent: intentId })

  const [event] = (await sandbox.stripe.events.list({ type: 'radar.early_fraud_warning.created' })).data
  expect(event!.data.object).toMatchObject({ payment_intent: intentId, actionable: true })
})

test('a key of the live mode sees objects and events of that mode, and the endpoint that gets them', async () => {
  const { url, received, until } = await givenReceiver()
  const secretKey = 'sk_live_sandbox'
  const { url: host } = await startTestSandbox({ secretKey, webhook: { url, secret: webhookSecret } })
  const { port, hostname } = new URL(host)
  const live = new Stripe(secretKey, { host: hostname, port, protocol: 'http', telemetry: false })

  const session = await live.checkout.sessions.create(purchase())
  await live.checkout.sessions.expire(session.id)
  await until(() => typesOf(received).includes('checkout.session.expired'))

  expect(session.livemode).toBe(true)
  expect(verify(received[0]!)).toMatchObject({ livemode: true, data: { object: { livemode: true } } })
  const { data } = await live.webhookEndpoints.list()
  expect(data).toEqual([expect.objectContaining({ url, status: 'enabled', enabled_events: ['*'], livemode: true })])
})
