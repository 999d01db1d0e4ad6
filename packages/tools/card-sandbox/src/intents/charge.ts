import type Stripe from 'stripe'
import { newId } from '../store/id.ts'
import { brandOf } from './card.ts'
import type { Failure } from './intent.ts'

/** Duration of a hold: seven days. */
export const holdSeconds = 7 * 24 * 60 * 60

export type Buyer = { email: string; name: string }
/** A wallet of a phone, which pays with a card that it holds. */
export type PhoneWallet = 'apple_pay' | 'google_pay'
type NewCharge = {
  intent: Stripe.PaymentIntent
  card: string
  buyer: Buyer
  wallet?: PhoneWallet
  /** The card's holder was authenticated by 3-D Secure. */
  authenticated?: boolean
  /** The payment method of a saved card. */
  savedCard?: string
  now: number
}

const emptyAddress = { city: null, country: null, line1: null, line2: null, postal_code: null, state: null }

const authentication = {
  authentication_flow: 'challenge',
  electronic_commerce_indicator: '05',
  exemption_indicator: null,
  result: 'authenticated',
  result_reason: null,
  transaction_id: '5f2b0a1c-2f6b-4d55-9a43-1c6d1f2b7a11',
  version: '2.2.0',
} as const

function cardDetails({ intent, card, wallet, authenticated, now }: NewCharge, isHeld: boolean) {
  return {
    amount_authorized: isHeld ? intent.amount : null,
    authorization_code: null,
    brand: brandOf(card),
    ...(isHeld ? { capture_before: now + holdSeconds } : {}),
    checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' as const },
    country: 'US',
    electronic_commerce_indicator: null,
    exp_month: 12,
    exp_year: 2034,
    extended_authorization: { status: 'disabled' as const },
    fingerprint: `sandbox${card.slice(-9)}`,
    funding: 'credit' as const,
    incremental_authorization: { status: 'unavailable' as const },
    installments: null,
    last4: card.slice(-4),
    mandate: null,
    multicapture: { status: 'unavailable' as const },
    network: brandOf(card),
    network_token: { used: false },
    network_transaction_id: null,
    overcapture: { maximum_amount_capturable: intent.amount, status: 'unavailable' as const },
    regulated_status: 'unregulated' as const,
    three_d_secure: authenticated ? authentication : null,
    transaction_link_id: null,
    wallet: wallet ? { type: wallet, dynamic_last4: card.slice(-4), [wallet]: {} } : null,
  }
}

function baseCharge(input: NewCharge, isHeld: boolean) {
  const { intent, buyer, savedCard, now } = input
  const id = newId('ch')
  return {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: emptyAddress, email: buyer.email, name: buyer.name, phone: null, tax_id: null },
    calculated_statement_descriptor: ['SANDBOX', intent.statement_descriptor_suffix].filter(Boolean).join('* '),
    captured: false,
    created: now,
    currency: intent.currency,
    customer: intent.customer as string | null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    payment_intent: intent.id,
    payment_method: savedCard ?? newId('pm'),
    payment_method_details: { card: cardDetails(input, isHeld), type: 'card' },
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: intent.statement_descriptor_suffix,
    transfer_data: null,
    transfer_group: null,
  } as const
}

/** The charge of an authorised card: held, not captured. */
export function heldCharge(input: NewCharge): Stripe.Charge {
  return {
    ...baseCharge(input, true),
    failure_code: null,
    failure_message: null,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'approved_by_network',
      reason: null,
      risk_level: 'normal',
      seller_message: 'Payment complete.',
      type: 'authorized',
    },
    paid: true,
    status: 'succeeded',
  } satisfies Stripe.Charge
}

export function failedCharge(input: NewCharge, { code, declineCode, message }: Failure): Stripe.Charge {
  return {
    ...baseCharge(input, false),
    failure_code: code,
    failure_message: message,
    outcome: {
      advice_code: null,
      network_advice_code: null,
      network_decline_code: null,
      network_status: 'declined_by_network',
      reason: declineCode ?? code,
      risk_level: 'normal',
      seller_message: 'The bank did not accept the payment.',
      type: 'issuer_declined',
    },
    paid: false,
    status: 'failed',
  } satisfies Stripe.Charge
}

export const capturedCharge = (charge: Stripe.Charge, amount: number, balanceTransaction: string) =>
  ({
    ...charge,
    captured: true,
    amount_captured: amount,
    balance_transaction: balanceTransaction,
  }) satisfies Stripe.Charge

/** A released hold. Stripe marks it as refunded, although nothing was captured. */
export const releasedCharge = (charge: Stripe.Charge) =>
  ({ ...charge, refunded: true, amount_refunded: charge.amount }) satisfies Stripe.Charge
