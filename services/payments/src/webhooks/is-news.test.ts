import { processorEvents, TEST_EVENT } from '@nifty/api/payments/processor-events'
import { expect, test } from 'vitest'
import { isReversalEvent } from '../reversals/reversal.ts'
import { isNews, withoutNews } from './webhook.ts'

const waiting = { captureRequestedAt: null }
const capturing = { captureRequestedAt: new Date() }

test.each([
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.canceled',
  'payment_intent.payment_failed',
  'charge.refunded',
  'charge.dispute.created',
  'radar.early_fraud_warning.created',
  'a.type.of.the.future',
])('%s wakes an order', (type) => {
  expect(isNews(type, waiting)).toBe(true)
  expect(isNews(type, capturing)).toBe(true)
})

test.each(['payment_intent.created', 'charge.succeeded', 'payment_intent.amount_capturable_updated'])(
  '%s repeats what the session says',
  (type) => {
    expect(isNews(type, waiting)).toBe(false)
  },
)

test.each(['payment_intent.succeeded', 'charge.captured'])('%s is news if the order requested no capture', (type) => {
  expect(isNews(type, waiting)).toBe(true)
  expect(isNews(type, capturing)).toBe(false)
})

test('every event that the processor has to send wakes an order or has its refunds and disputes read', () => {
  expect(processorEvents.filter((type) => !isNews(type, waiting) && !isReversalEvent(type))).toEqual([])
  expect(withoutNews.has(TEST_EVENT)).toBe(false)
})
