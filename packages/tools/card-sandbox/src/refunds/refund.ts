import type Stripe from 'stripe'
import { newId } from '../store/id.ts'

type NewRefund = {
  charge: Stripe.Charge
  amount: number
  reason: Stripe.Refund['reason']
  status: 'succeeded' | 'pending'
  metadata?: Record<string, string>
  balanceTransaction: string | null
  now: number
}

/** A refund, or the release of a hold (then without a balance transaction). Amount in cents. */
export function newRefund({ charge, amount, reason, status, metadata, balanceTransaction, now }: NewRefund) {
  const type = charge.captured ? 'refund' : 'reversal'
  return {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: balanceTransaction,
    charge: charge.id,
    created: now,
    currency: charge.currency,
    customer: null,
    customer_account: null,
    destination_details: { card: { type: status === 'pending' ? 'pending' : type }, type: 'card' },
    metadata: metadata ?? {},
    payment_intent: charge.payment_intent as string,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status,
    transfer_reversal: null,
    ...(status === 'pending' ? { pending_reason: 'processing' as const } : {}),
  } satisfies Stripe.Refund
}

/** The amount that can still be refunded, cents. */
export const refundable = ({ amount_captured, amount_refunded }: Stripe.Charge) => amount_captured - amount_refunded

/** The charge after a refund of an amount (cents); negative after a refund failed. */
export function withRefunded(charge: Stripe.Charge, amount: number) {
  const amount_refunded = charge.amount_refunded + amount
  return { ...charge, amount_refunded, refunded: amount_refunded === charge.amount_captured } satisfies Stripe.Charge
}
