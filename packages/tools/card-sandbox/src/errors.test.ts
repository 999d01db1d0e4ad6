import { expect, test } from 'vitest'
import { errorOf, givenCapture, givenHold, givenSession, secretKey, startTestSandbox } from './testing/sandbox.ts'

test('a request without the secret key is refused with 401', async () => {
  const { url } = await startTestSandbox()

  const missing = await fetch(`${url}/v1/events`)
  const wrong = await fetch(`${url}/v1/events`, { headers: { authorization: 'Bearer sk_test_other' } })

  expect([missing.status, wrong.status]).toEqual([401, 401])
  expect(await wrong.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  expect(wrong.headers.get('request-id')).toMatch(/^req_/)
})

test('a rolled key is accepted beside the next one until it ends', async () => {
  const sandbox = await startTestSandbox()
  await sandbox.control('/sandbox/keys', { keys: [secretKey, 'sk_test_next'] })
  await sandbox.stripe.events.list()
  await sandbox.control('/sandbox/keys', { keys: ['sk_test_next'] })
  expect((await errorOf(sandbox.stripe.events.list())).statusCode).toBe(401)
})

test('a second capture, a capture after a cancel and a cancel after a capture are unexpected states', async () => {
  const sandbox = await startTestSandbox()
  const { paymentIntents } = sandbox.stripe
  const [captured, cancelled] = [await givenCapture(sandbox), await givenHold(sandbox)]
  await paymentIntents.cancel(cancelled.intentId)

  for (const call of [
    () => paymentIntents.capture(captured.intentId),
    () => paymentIntents.cancel(captured.intentId),
    () => paymentIntents.capture(cancelled.intentId),
    () => paymentIntents.cancel(cancelled.intentId),
  ]) {
    const error = await errorOf(call())
    expect(error).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' })
    expect(error.payment_intent).toMatchObject({ object: 'payment_intent', amount: 12_000 })
  }
})

test('an intent of an open session cannot be cancelled directly', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)
  const { session } = await sandbox.pay(id, '4000000000000002')

  const error = await errorOf(sandbox.stripe.paymentIntents.cancel(session.payment_intent))

  expect(error.code).toBe('payment_intent_unexpected_state')
})

test('a capture of more than the held amount, of zero or of a negative amount is refused', async () => {
  const sandbox = await startTestSandbox()
  const { intentId } = await givenHold(sandbox)
  const capture = (amount_to_capture: number) =>
    errorOf(sandbox.stripe.paymentIntents.capture(intentId, { amount_to_capture }))

  expect(await capture(12_001)).toMatchObject({ code: 'amount_too_large', param: 'amount_to_capture' })
  expect(await capture(0)).toMatchObject({ code: 'parameter_invalid_integer', param: 'amount_to_capture' })
  const negative = await capture(-1)
  expect(negative).toMatchObject({ statusCode: 400, param: 'amount_to_capture' })
  expect(negative.code).toBeUndefined()
  expect(negative.message).toContain('Invalid non-negative integer')
})

test('only a captured, undisputed charge can be refunded, at most its remaining amount', async () => {
  const sandbox = await startTestSandbox()
  const { refunds } = sandbox.stripe
  const held = await givenHold(sandbox)
  const disputed = await givenCapture(sandbox, '4000000000000259')
  const captured = await givenCapture(sandbox)

  expect((await errorOf(refunds.create({ payment_intent: held.intentId }))).statusCode).toBe(400)
  expect(await errorOf(refunds.create({ charge: disputed.chargeId }))).toMatchObject({ code: 'charge_disputed' })

  await refunds.create({ payment_intent: captured.intentId, amount: 5000 })
  const over = await errorOf(refunds.create({ payment_intent: captured.intentId, amount: 7001 }))
  expect(over).toMatchObject({ statusCode: 400, param: 'amount' })
  expect(over.code).toBeUndefined()

  const rest = await refunds.create({ payment_intent: captured.intentId, metadata: { reason: 'test' } })
  expect(await refunds.retrieve(rest.id)).toMatchObject({
    amount: 7000,
    status: 'succeeded',
    metadata: { reason: 'test' },
  })
  expect(await errorOf(refunds.create({ charge: captured.chargeId }))).toMatchObject({
    code: 'charge_already_refunded',
  })
  expect((await sandbox.control('/sandbox/ledger')).totals).toMatchObject({ refunded: 12_000 })
})

test('a refund can stay pending, and can fail after it succeeded', async () => {
  const sandbox = await startTestSandbox()
  const [slow, failing] = [
    await givenCapture(sandbox, '4000000000007726'),
    await givenCapture(sandbox, '4000000000005126'),
  ]
  const pending = await sandbox.stripe.refunds.create({ charge: slow.chargeId })
  const succeeded = await sandbox.stripe.refunds.create({ charge: failing.chargeId })
  expect([pending.status, succeeded.status]).toEqual(['pending', 'succeeded'])

  await sandbox.advance(60_000)

  expect((await sandbox.stripe.refunds.retrieve(pending.id)).status).toBe('succeeded')
  expect((await sandbox.stripe.refunds.retrieve(succeeded.id)).status).toBe('failed')
  expect(await sandbox.stripe.charges.retrieve(failing.chargeId)).toMatchObject({ refunded: false, amount_refunded: 0 })
})

test('an unknown object and an unknown path return 404', async () => {
  const sandbox = await startTestSandbox()

  for (const path of [
    'checkout/sessions/cs_no',
    'payment_intents/pi_no',
    'charges/ch_no',
    'refunds/re_no',
    'events/evt_no',
  ]) {
    const { status, body } = await sandbox.raw(`/v1/${path}`)
    expect([status, body.error.code]).toEqual([404, 'resource_missing'])
  }
  expect((await sandbox.raw('/v1/invoices')).status).toBe(404)
})
