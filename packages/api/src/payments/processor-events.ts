import { Type } from 'typebox'
import { endpoint } from '../endpoint.ts'
import { IsoDate, Nullable } from '../shapes.ts'

/**
 * The types of events that the processor has to send to the webhook endpoint. Others bring nothing: state and amounts
 * are read from the processor.
 */
export const processorEvents = [
  'checkout.session.completed',
  'checkout.session.expired',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.succeeded',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'radar.early_fraud_warning.created',
  'radar.early_fraud_warning.updated',
] as const

/** Type of the event with which `pnpm ops doctor` tries the webhook endpoint; it is about no payment. */
export const TEST_EVENT = 'nifty.doctor'

export const getNewestWebhook = endpoint({
  summary: 'Tells when the newest event of the processor arrived by webhook',
  description: 'Null before the first. Test events of operators do not count.',
  method: 'GET',
  path: '/internal/ops/webhooks/newest',
  access: 'operator',
  role: 'money',
  confirm: 'never',
  response: Type.Object({ receivedAt: Nullable(IsoDate) }),
})
