import { expect, test } from 'vitest'
import { errorOf, eventTypes, givenHold, givenSession, retrieve, startTestSandbox } from './testing/sandbox.ts'

const day = 24 * 3600_000

test('a new session is open and has no payment intent yet', async () => {
  const sandbox = await startTestSandbox()

  const session = await givenSession(sandbox)

  expect(session).toMatchObject({
    status: 'open',
    payment_status: 'unpaid',
    payment_intent: null,
    amount_total: 12_000,
  })
  expect(session.url).toBe(`${sandbox.url}/pay/${session.id}`)
  expect(session.expires_at - session.created).toBe(24 * 3600)
  expect(await eventTypes(sandbox)).toEqual([])
})

test('a declined card leaves the session open for another one', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)

  const declined = await sandbox.pay(id, '4000000000000002')

  expect(declined).toMatchObject({
    status: 'declined',
    error: { code: 'card_declined', decline_code: 'generic_decline' },
  })
  const { session, intent, charge } = await retrieve(sandbox.stripe, id)
  expect(session.status).toBe('open')
  expect(intent).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { type: 'card_error', code: 'card_declined', decline_code: 'generic_decline' },
  })
  expect(charge).toMatchObject({ status: 'failed', paid: false, captured: false })
  expect(await eventTypes(sandbox)).toEqual([
    'payment_intent.created',
    'charge.failed',
    'payment_intent.payment_failed',
  ])

  expect((await sandbox.pay(id)).session.payment_intent).toBe(intent.id)
})

test.each([
  ['4000000000009995', 'card_declined', 'insufficient_funds'],
  ['4000000000000069', 'expired_card', undefined],
  ['4000000000000127', 'incorrect_cvc', undefined],
  ['4000000000000119', 'processing_error', undefined],
])('card %s is declined with %s', async (card, code, declineCode) => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)

  const { error } = await sandbox.pay(id, card)

  expect(error.code).toBe(code)
  expect(error.decline_code).toBe(declineCode)
})

test.each(['4000002500003155', '4000000000003220'])('card %s requires authentication first', async (card) => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)

  await sandbox.pay(id, card)

  const waiting = await retrieve(sandbox.stripe, id)
  expect(waiting.session.status).toBe('open')
  expect(waiting.intent).toMatchObject({ status: 'requires_action', latest_charge: null })
  expect(await eventTypes(sandbox)).toEqual(['payment_intent.created', 'payment_intent.requires_action'])

  await sandbox.control(`/sandbox/sessions/${id}/authenticate`, { outcome: 'complete' })
  expect((await retrieve(sandbox.stripe, id)).intent.status).toBe('requires_capture')
})

test('a failed authentication holds nothing, and another card can be used', async () => {
  const sandbox = await startTestSandbox()
  const { id } = await givenSession(sandbox)
  await sandbox.pay(id, '4000002500003155')

  await sandbox.control(`/sandbox/sessions/${id}/authenticate`, { outcome: 'fail' })

  const { session, intent } = await retrieve(sandbox.stripe, id)
  expect(session.status).toBe('open')
  expect(intent).toMatchObject({
    status: 'requires_payment_method',
    last_payment_error: { code: 'payment_intent_authentication_failure' },
  })
  expect((await sandbox.pay(id)).status).toBe('authorised')
})

test('a session expires at its `expires_at` and cancels its open intent', async () => {
  const sandbox = await startTestSandbox()
  const [untouched, tried] = [await givenSession(sandbox), await givenSession(sandbox)]
  await sandbox.pay(tried.id, '4000000000000002')

  await sandbox.advance(day)

  expect((await retrieve(sandbox.stripe, untouched.id)).session).toMatchObject({
    status: 'expired',
    url: null,
    payment_intent: null,
  })
  expect((await retrieve(sandbox.stripe, tried.id)).intent.status).toBe('canceled')
  expect((await eventTypes(sandbox)).filter((type) => type === 'checkout.session.expired')).toHaveLength(2)
})

test('only an open session can be expired', async () => {
  const sandbox = await startTestSandbox()
  const [paid, left] = [await givenHold(sandbox), await givenSession(sandbox)]

  expect((await sandbox.stripe.checkout.sessions.expire(left.id)).status).toBe('expired')

  for (const id of [paid.sessionId, left.id]) {
    const error = await errorOf(sandbox.stripe.checkout.sessions.expire(id))
    expect(error).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error' })
  }
  expect(await errorOf(sandbox.pay(left.id))).toMatchObject({ status: 409, code: 'session_not_open' })
})

test.each([
  ['automatic', 'authorised'],
  ['any', 'requires_action'],
  ['challenge', 'requires_action'],
] as const)('a card that supports authentication, asked for %s, is %s', async (request, status) => {
  const sandbox = await startTestSandbox()
  const options = { card: { request_three_d_secure: request } }
  const { id } = await givenSession(sandbox, { payment_method_options: options })
  expect(await sandbox.pay(id, '4000000000003055')).toMatchObject({ status })
  const { intent } = await retrieve(sandbox.stripe, id)
  expect(intent.payment_method_options).toMatchObject(options)

  const without = await givenSession(sandbox, { payment_method_options: options })
  expect(await sandbox.pay(without.id)).toMatchObject({ status: 'authorised' })
})

test('the card statement has the suffix of the payment', async () => {
  const sandbox = await startTestSandbox()
  const data = { capture_method: 'manual', statement_descriptor_suffix: 'N1A2B3C4D' } as const
  const { id } = await givenSession(sandbox, { payment_intent_data: data })
  await sandbox.pay(id)
  expect((await retrieve(sandbox.stripe, id)).charge.calculated_statement_descriptor).toBe('SANDBOX* N1A2B3C4D')
  const wrong = givenSession(sandbox, { payment_intent_data: { statement_descriptor_suffix: '1234' } })
  expect((await errorOf(wrong)).param).toBe('payment_intent_data[statement_descriptor_suffix]')
})
