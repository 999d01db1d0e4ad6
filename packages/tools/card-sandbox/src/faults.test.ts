import { expect, test } from 'vitest'
import { errorOf, givenHold, purchase, type Sandbox, startTestSandbox } from './testing/sandbox.ts'

const capture = ({ stripe }: Sandbox, intentId: string, idempotencyKey = 'capture:1') =>
  stripe.paymentIntents.capture(intentId, {}, { idempotencyKey })

const captured = async (sandbox: Sandbox) => (await sandbox.control('/sandbox/ledger')).totals.captured

const fault = (mode: string, more: object = {}) => ({ request: 'POST /v1/payment_intents/*/capture', mode, ...more })

test.each([
  ['timeout_before', 0],
  ['timeout_after', 12_000],
])('a request with the fault %s gets no response, and the ledger shows its effect', async (mode, money) => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)
  await sandbox.control('/sandbox/faults', fault(mode, { times: 2 }))

  // The official client retries a broken connection once by itself.
  expect((await errorOf(capture(sandbox, intentId))).type).toBe('StripeConnectionError')

  expect(await captured(sandbox)).toBe(money)
  expect((await capture(sandbox, intentId)).status).toBe('succeeded')
  expect(await captured(sandbox)).toBe(12_000)
})

test('a 500 before the effect is not stored under its idempotency key', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)
  await sandbox.control('/sandbox/faults', fault('error_before'))

  expect(await errorOf(capture(sandbox, intentId))).toMatchObject({ statusCode: 500, rawType: 'api_error' })

  expect(await captured(sandbox)).toBe(0)
  expect((await capture(sandbox, intentId)).status).toBe('succeeded')
})

test('a 500 after the effect is replayed under its idempotency key; only retrieving the object shows the effect', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)
  await sandbox.control('/sandbox/faults', fault('error_after'))

  expect((await errorOf(capture(sandbox, intentId))).statusCode).toBe(500)
  const again = await errorOf(capture(sandbox, intentId))

  expect(again.statusCode).toBe(500)
  expect(again.headers['idempotent-replayed']).toBe('true')
  expect((await sandbox.stripe.paymentIntents.retrieve(intentId)).status).toBe('succeeded')
})

test('a rate limit fault returns 429 as often as requested, without an effect and without a stored response', async () => {
  const sandbox = await startTestSandbox()
  await sandbox.control('/sandbox/faults', { request: 'POST /v1/checkout/sessions', mode: 'rate_limit', times: 2 })
  const create = () => sandbox.stripe.checkout.sessions.create(purchase(), { idempotencyKey: 'cs:order-1' })

  expect(await errorOf(create())).toMatchObject({ statusCode: 429, code: 'rate_limit' })
  expect((await errorOf(create())).statusCode).toBe(429)
  expect((await create()).status).toBe('open')
})

test('faults can be listed and cleared, and a misspelt one is refused', async () => {
  const sandbox = await startTestSandbox()
  await sandbox.control('/sandbox/faults', { request: '*', mode: 'rate_limit', times: 1000 })
  expect((await sandbox.control('/sandbox/faults')).faults).toMatchObject([
    { mode: 'rate_limit', times: 1000, chance: 1 },
  ])

  await sandbox.control('/sandbox/faults', undefined, 'DELETE')

  expect((await sandbox.stripe.events.list()).data).toEqual([])
  expect(await errorOf(sandbox.control('/sandbox/faults', { request: '*', mode: 'explode' }))).toMatchObject({
    status: 400,
  })
  expect(await errorOf(sandbox.control('/sandbox/faults', { webhook: '*', mode: 'lose', tmes: 2 }))).toMatchObject({
    status: 400,
  })
})

test('faults of the same seed apply to the same requests, and are listed', async () => {
  const patternOf = async (seed: number) => {
    const sandbox = await startTestSandbox()
    await sandbox.control('/sandbox/faults', { request: 'GET /v1/events', mode: 'slow', times: 100, chance: 0 })
    const rates = { request: 'GET /v1/events', mode: 'rate_limit', times: 100, chance: 0.5, seed }
    await sandbox.control('/sandbox/faults', rates)
    const statuses: number[] = []
    for (let count = 0; count < 20; count++)
      statuses.push(
        await sandbox.stripe.events.list({}, { maxNetworkRetries: 0 }).then(
          () => 200,
          () => 429,
        ),
      )
    const { applied } = await sandbox.control('/sandbox/faults')
    expect(applied.length).toBe(statuses.filter((status) => status === 429).length)
    expect(applied[0]).toMatchObject({ subject: 'GET /v1/events', mode: 'rate_limit' })
    return statuses.join(' ')
  }

  const pattern = await patternOf(7)

  expect(new Set(pattern.split(' '))).toEqual(new Set(['200', '429']))
  expect(await patternOf(7)).toBe(pattern)
  expect(await patternOf(8)).not.toBe(pattern)
})
