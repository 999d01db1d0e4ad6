import { expect, test } from 'vitest'
import { clientOf, errorOf, givenHold, givenSession, purchase, startTestSandbox } from './testing/sandbox.ts'

const day = 24 * 3600_000

test('a repeated key returns the first response', async () => {
  const { stripe } = await startTestSandbox()
  const options = { idempotencyKey: 'cs:order-1' }

  const first = await stripe.checkout.sessions.create(purchase(), options)
  const again = await stripe.checkout.sessions.create(purchase(), options)

  expect(again.id).toBe(first.id)
  expect(again.lastResponse.headers).toMatchObject({
    'idempotent-replayed': 'true',
    'original-request': first.lastResponse.requestId,
  })
  expect(again.lastResponse.requestId).not.toBe(first.lastResponse.requestId)
  expect((await stripe.checkout.sessions.list()).data).toHaveLength(1)
})

test('a replay does not validate the time again', async () => {
  const sandbox = await startTestSandbox()
  const expires_at = Math.floor(Date.now() / 1000) + 35 * 60
  const create = () =>
    sandbox.stripe.checkout.sessions.create(purchase({ expires_at }), { idempotencyKey: 'cs:order-1' })
  const first = await create()

  await sandbox.advance(10 * 60_000)

  expect((await create()).id).toBe(first.id)
})

test('the same key with other parameters, or for another path, is refused', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)
  const options = { idempotencyKey: 'one' }
  await givenSession(sandbox)
  await sandbox.stripe.checkout.sessions.create(purchase(), options)

  const other = await errorOf(
    sandbox.stripe.checkout.sessions.create(purchase({ client_reference_id: 'order-2' }), options),
  )
  const elsewhere = await errorOf(sandbox.stripe.paymentIntents.capture(intentId, {}, options))

  expect([other.statusCode, other.rawType, other.code]).toEqual([400, 'idempotency_error', undefined])
  expect(elsewhere.rawType).toBe('idempotency_error')
})

test('a key is in use while its first request is in progress', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)
  await sandbox.control('/sandbox/faults', {
    request: 'POST /v1/payment_intents/*/capture',
    mode: 'slow',
    delayMs: 400,
  })
  const capture = () => sandbox.stripe.paymentIntents.capture(intentId, {}, { idempotencyKey: 'capture:1' })

  const first = capture()
  await expect.poll(async () => (await sandbox.control('/sandbox/faults')).faults).toEqual([])
  const second = await errorOf(capture())

  expect(second).toMatchObject({ statusCode: 409, rawType: 'invalid_request_error', code: 'idempotency_key_in_use' })
  expect((await first).status).toBe('succeeded')
  expect((await capture()).status).toBe('succeeded')
})

test('the official client retries after a lost response, and captures once', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)
  await sandbox.control('/sandbox/faults', { request: 'POST /v1/payment_intents/*/capture', mode: 'timeout_after' })

  const intent = await clientOf(sandbox.url, { maxNetworkRetries: 2 }).paymentIntents.capture(intentId)

  expect(intent.status).toBe('succeeded')
  expect((await sandbox.control('/sandbox/ledger')).totals.captured).toBe(12_000)
})

test('state errors are stored, parameter errors are not', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)
  const send = (form: string) => sandbox.raw(`/v1/payment_intents/${intentId}/capture`, { form, key: form })

  expect((await send('amount_to_capture=13000')).body.error.code).toBe('amount_too_large')
  expect((await send('amount_to_capture=0')).status).toBe(400)

  expect((await send('amount_to_capture=13000')).headers.get('idempotent-replayed')).toBe('true')
  expect((await send('amount_to_capture=0')).headers.get('idempotent-replayed')).toBeNull()
})

test('a key expires after 24 hours: then the request is a new one', async () => {
  const sandbox = await startTestSandbox()
  const create = () => sandbox.stripe.checkout.sessions.create(purchase(), { idempotencyKey: 'cs:order-1' })
  const first = await create()
  await sandbox.advance(day - 60_000)
  expect((await create()).id).toBe(first.id)

  await sandbox.advance(60_000)

  expect((await create()).id).not.toBe(first.id)
})

test('concurrent requests with one key create one session', async () => {
  const sandbox = await startTestSandbox()
  const create = () => sandbox.stripe.checkout.sessions.create(purchase(), { idempotencyKey: 'cs:order-1' })

  await Promise.allSettled([create(), create(), create()])

  expect((await sandbox.stripe.checkout.sessions.list()).data).toHaveLength(1)
})
