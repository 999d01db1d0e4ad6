import type Stripe from 'stripe'
import { newId } from '../store/id.ts'

type Movement = {
  /** Cents; negative when money leaves the merchant. */
  amount: number
  currency: string
  source: string
  type: 'charge' | 'refund' | 'adjustment' | 'payment_failure_refund'
  feeCents?: number
  now: number
}

const pendingSeconds = 7 * 24 * 60 * 60

/** 1.5 % and 25 cents, as for a European card. */
export const cardFee = (amount: number) => Math.round(amount * 0.015) + 25

/** A movement on the merchant's balance. */
export function newBalanceTransaction({ amount, currency, source, type, feeCents = 0, now }: Movement) {
  return {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: now + pendingSeconds,
    balance_type: 'payments',
    created: now,
    currency,
    description: null,
    exchange_rate: null,
    fee: feeCents,
    fee_details:
      feeCents > 0
        ? [{ amount: feeCents, application: null, currency, description: 'Processing fees', type: 'stripe_fee' }]
        : [],
    net: amount - feeCents,
    reporting_category: type === 'adjustment' ? 'dispute' : type,
    source,
    status: 'pending',
    type,
  } satisfies Stripe.BalanceTransaction
}
