import { expect, test } from 'vitest'
import { eventTypes, givenCapture, givenHold, retrieve, startTestSandbox } from './testing/sandbox.ts'

const hour = 3600_000
const day = 24 * hour

test('an authorised card is held, not captured', async () => {
  const sandbox = await startTestSandbox()
  const { sessionId } = await givenHold(sandbox)

  const { session, intent, charge } = await retrieve(sandbox.stripe, sessionId)

  expect(session).toMatchObject({ status: 'complete', payment_status: 'unpaid', url: null })
  expect(intent).toMatchObject({ status: 'requires_capture', amount_capturable: 12_000, amount_received: 0 })
  expect(charge).toMatchObject({ status: 'succeeded', paid: true, captured: false, balance_transaction: null })
  expect(charge.payment_method_details!.card!.capture_before).toBe(charge.created + 604_800)
  expect(await eventTypes(sandbox)).toEqual([
    'payment_intent.created',
    'charge.succeeded',
    'payment_intent.amount_capturable_updated',
    'checkout.session.completed',
  ])
})

test('a capture takes the held amount once and marks the session as paid', async () => {
  const sandbox = await startTestSandbox()
  const { sessionId, intentId } = await givenHold(sandbox)

  await sandbox.stripe.paymentIntents.capture(intentId)

  const { session, intent, charge } = await retrieve(sandbox.stripe, sessionId)
  expect(session).toMatchObject({ status: 'complete', payment_status: 'paid' })
  expect(intent).toMatchObject({ status: 'succeeded', amount_capturable: 0, amount_received: 12_000 })
  expect(charge).toMatchObject({ captured: true, amount_captured: 12_000, refunded: false })
  const movement = await sandbox.stripe.balanceTransactions.retrieve(charge.balance_transaction as string)
  expect(movement).toMatchObject({ amount: 12_000, type: 'charge', source: charge.id })
  expect(movement.net).toBe(12_000 - movement.fee)
  expect((await eventTypes(sandbox)).slice(-2)).toEqual(['charge.captured', 'payment_intent.succeeded'])
})

test('a partial capture releases the rest and is not a refund', async () => {
  const sandbox = await startTestSandbox()
  const { sessionId, intentId } = await givenHold(sandbox)

  await sandbox.stripe.paymentIntents.capture(intentId, { amount_to_capture: 5000 })

  const { intent, charge } = await retrieve(sandbox.stripe, sessionId)
  expect(intent).toMatchObject({ amount: 12_000, amount_received: 5000, amount_capturable: 0 })
  expect(charge).toMatchObject({ amount: 12_000, amount_captured: 5000, amount_refunded: 0, refunded: false })
  const { totals } = await sandbox.control('/sandbox/ledger')
  expect(totals).toMatchObject({ held: 12_000, captured: 5000, released: 7000, inFlight: 0 })
})

test('a cancelled hold is marked as refunded, but was not captured', async () => {
  const sandbox = await startTestSandbox()
  const { sessionId, intentId } = await givenHold(sandbox)

  await sandbox.stripe.paymentIntents.cancel(intentId, { cancellation_reason: 'abandoned' })

  const { session, intent, charge } = await retrieve(sandbox.stripe, sessionId)
  expect(session).toMatchObject({ status: 'complete', payment_status: 'unpaid' })
  expect(intent).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned', amount_received: 0 })
  expect(charge).toMatchObject({ refunded: true, captured: false, amount_captured: 0, amount_refunded: 12_000 })
  expect((await eventTypes(sandbox)).slice(-2)).toEqual(['payment_intent.canceled', 'charge.refunded'])
})

test('a hold expires after seven days', async () => {
  const sandbox = await startTestSandbox()
  const { sessionId, intentId } = await givenHold(sandbox)
  await sandbox.advance(7 * day - hour)
  expect((await retrieve(sandbox.stripe, sessionId)).intent.status).toBe('requires_capture')

  await sandbox.advance(hour)

  const { intent, charge } = await retrieve(sandbox.stripe, sessionId)
  expect(intent).toMatchObject({ status: 'canceled', cancellation_reason: 'automatic' })
  expect(charge).toMatchObject({ refunded: true, captured: false })
  const { data } = await sandbox.stripe.refunds.list({ payment_intent: intentId })
  expect(data).toMatchObject([{ reason: 'expired_uncaptured_charge', amount: 12_000 }])
  const events = (await sandbox.stripe.events.list({ limit: 2 })).data
  expect(events.map(({ type }) => type)).toEqual(['payment_intent.canceled', 'charge.expired'])
  expect(events[0]!.request).toEqual({ id: null, idempotency_key: null })
})

test('the dispute card is disputed after the capture', async () => {
  const sandbox = await startTestSandbox()
  const { sessionId, chargeId } = await givenCapture(sandbox, '4000000000000259')

  expect(await sandbox.stripe.charges.retrieve(chargeId)).toMatchObject({ disputed: true, captured: true })
  expect((await retrieve(sandbox.stripe, sessionId)).intent.status).toBe('succeeded')
  expect((await eventTypes(sandbox)).slice(-4)).toEqual([
    'charge.captured',
    'payment_intent.succeeded',
    'charge.dispute.created',
    'charge.dispute.funds_withdrawn',
  ])
  const [dispute] = (await sandbox.stripe.disputes.list({ charge: chargeId })).data
  expect(await sandbox.stripe.disputes.retrieve(dispute!.id)).toMatchObject({
    amount: 12_000,
    status: 'needs_response',
  })

  await sandbox.control(`/sandbox/disputes/${dispute!.id}/close`, { outcome: 'won' })
  expect((await sandbox.control('/sandbox/ledger')).totals.disputed).toBe(0)
})
