import type Stripe from 'stripe'
import { newId } from '../store/id.ts'

/** Fee of a dispute in addition to its amount, cents. */
export const disputeFee = 2000
const responseDueSeconds = 9 * 24 * 60 * 60

const evidence = {
  access_activity_log: null,
  billing_address: null,
  cancellation_policy: null,
  cancellation_policy_disclosure: null,
  cancellation_rebuttal: null,
  customer_communication: null,
  customer_email_address: null,
  customer_name: null,
  customer_purchase_ip: null,
  customer_signature: null,
  duplicate_charge_documentation: null,
  duplicate_charge_explanation: null,
  duplicate_charge_id: null,
  enhanced_evidence: {},
  product_description: null,
  receipt: null,
  refund_policy: null,
  refund_policy_disclosure: null,
  refund_refusal_explanation: null,
  service_date: null,
  service_documentation: null,
  shipping_address: null,
  shipping_carrier: null,
  shipping_date: null,
  shipping_documentation: null,
  shipping_tracking_number: null,
  uncategorized_file: null,
  uncategorized_text: null,
} satisfies Stripe.Dispute['evidence']

type NewDispute = {
  id: string
  charge: Stripe.Charge
  reason: Stripe.Dispute['reason']
  /** Cents. */
  amount: number
  /** Null for an inquiry, which withdraws nothing. */
  withdrawal: Stripe.BalanceTransaction | null
  now: number
}

/** The buyer's bank takes the captured money back until the dispute is decided, or only inquires about the charge. */
export function newDispute({ id, charge, reason, amount, withdrawal, now }: NewDispute) {
  const brand = charge.payment_method_details?.card?.brand ?? 'visa'
  return {
    id,
    object: 'dispute',
    amount,
    balance_transactions: withdrawal ? [withdrawal] : [],
    charge: charge.id,
    created: now,
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence,
    evidence_details: {
      due_by: now + responseDueSeconds,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: 'manual',
    is_charge_refundable: withdrawal === null,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent as string,
    payment_method_details: {
      card: { brand, case_type: withdrawal ? 'chargeback' : 'inquiry', network: brand, network_reason_code: '10.4' },
      type: 'card',
    },
    reason,
    status: withdrawal ? 'needs_response' : 'warning_needs_response',
  } satisfies Stripe.Dispute
}

/** A bank's early word that a charge may be fraud; nothing moves. */
export const newFraudWarning = (charge: Stripe.Charge, now: number) =>
  ({
    id: newId('issfr'),
    object: 'radar.early_fraud_warning',
    actionable: true,
    charge: charge.id,
    created: now,
    fraud_type: 'made_with_stolen_card',
    livemode: false,
    payment_intent: charge.payment_intent as string,
  }) satisfies Stripe.Radar.EarlyFraudWarning
