import type Stripe from 'stripe'
import { newId } from '../store/id.ts'
import type { Basket } from '../store/object.ts'

type NewIntent = {
  basket: Basket
  amount: number
  currency: string
  threeDSecure: ThreeDSecureRequest
  customer: string | null
  now: number
}

/** When the shop asks for authentication: as the processor decides, or wherever the card supports it. */
type ThreeDSecureRequest = 'automatic' | 'any' | 'challenge'

/** A new payment intent, created at the buyer's first attempt. Amounts in cents. */
export function newIntent({ basket, amount, currency, threeDSecure, customer, now }: NewIntent) {
  const id = newId('pi')
  return {
    id,
    object: 'payment_intent',
    allowed_payment_method_types: null,
    amount,
    amount_capturable: 0,
    amount_details: { tip: {} },
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: basket.captureMethod,
    client_secret: newId(`${id}_secret`),
    confirmation_method: 'automatic',
    created: now,
    currency,
    customer,
    customer_account: null,
    description: basket.intentData.description ?? null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    metadata: basket.intentData.metadata ?? {},
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {
      card: { installments: null, mandate_options: null, network: null, request_three_d_secure: threeDSecure },
    },
    payment_method_types: ['card'],
    payment_record: null,
    processing: null,
    receipt_email: basket.intentData.receipt_email ?? null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: basket.intentData.statement_descriptor_suffix ?? null,
    status: 'requires_payment_method',
    transfer_data: null,
    transfer_group: null,
  } satisfies Stripe.PaymentIntent
}

export type Failure = { code: string; declineCode?: string; message: string; charge?: string }

/** The intent after a failed attempt: it accepts another card. */
export const failed = (intent: Stripe.PaymentIntent, { code, declineCode, message, charge }: Failure) =>
  ({
    ...intent,
    status: 'requires_payment_method',
    next_action: null,
    payment_method: null,
    latest_charge: charge ?? intent.latest_charge,
    last_payment_error: {
      type: 'card_error',
      code: code as 'card_declined',
      message,
      ...(declineCode ? { decline_code: declineCode } : {}),
      ...(charge ? { charge } : {}),
    },
  }) satisfies Stripe.PaymentIntent

export const requiresAction = (intent: Stripe.PaymentIntent, url: string) =>
  ({
    ...intent,
    status: 'requires_action',
    payment_method: newId('pm'),
    last_payment_error: null,
    next_action: { type: 'redirect_to_url', redirect_to_url: { url, return_url: null } },
  }) satisfies Stripe.PaymentIntent

export const authorised = (intent: Stripe.PaymentIntent, charge: Stripe.Charge) =>
  ({
    ...intent,
    status: 'requires_capture',
    amount_capturable: intent.amount,
    payment_method: charge.payment_method,
    latest_charge: charge.id,
    last_payment_error: null,
    next_action: null,
  }) satisfies Stripe.PaymentIntent

export const captured = (intent: Stripe.PaymentIntent, amount: number) =>
  ({ ...intent, status: 'succeeded', amount_capturable: 0, amount_received: amount }) satisfies Stripe.PaymentIntent

export const canceled = (
  intent: Stripe.PaymentIntent,
  reason: Stripe.PaymentIntent['cancellation_reason'],
  now: number,
) =>
  ({
    ...intent,
    status: 'canceled',
    amount_capturable: 0,
    next_action: null,
    cancellation_reason: reason,
    canceled_at: now,
  }) satisfies Stripe.PaymentIntent
