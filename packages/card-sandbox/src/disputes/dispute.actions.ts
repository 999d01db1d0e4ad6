import type Stripe from 'stripe'
import { invalid } from '../api/api-error.ts'
import { noteSession } from '../checkout/session.actions.ts'
import { newBalanceTransaction } from '../payments/balance.ts'
import { newId } from '../store/id.ts'
import type { Draft } from '../store/transaction.ts'
import { disputeFee, newDispute, newFraudWarning } from './dispute.ts'

const sessionOf = (draft: Draft, charge: Stripe.Charge) =>
  draft.need('checkout.session', draft.need('sandbox.payment', charge.payment_intent as string).session)

/** The buyer's bank takes a captured charge back. */
export function openDispute(draft: Draft, charge: Stripe.Charge, reason: Stripe.Dispute['reason']) {
  if (!charge.captured || charge.disputed) {
    throw invalid('Only a captured charge without a dispute can be disputed.', { param: 'charge' })
  }
  const id = newId('dp')
  const withdrawal = draft.put(
    newBalanceTransaction({
      amount: -charge.amount_captured,
      currency: charge.currency,
      source: id,
      type: 'adjustment',
      feeCents: disputeFee,
      now: draft.now,
    }),
  )
  draft.put({ ...charge, disputed: true })
  const dispute = draft.put(newDispute({ id, charge, reason, withdrawal, now: draft.now }))
  noteSession(draft, sessionOf(draft, charge), { kind: 'disputed', amount: dispute.amount, reason })
  draft.emit('charge.dispute.created', dispute)
  draft.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** The banks decide. A dispute that is won brings the money back. */
export function closeDispute(draft: Draft, disputeId: string, outcome: 'won' | 'lost') {
  const dispute = draft.need('dispute', disputeId, 'dispute')
  if (dispute.status !== 'needs_response') throw invalid(`This dispute is ${dispute.status}.`, { param: 'dispute' })
  if (outcome === 'lost') {
    const lost = draft.put({ ...dispute, status: 'lost' } satisfies Stripe.Dispute)
    draft.emit('charge.dispute.closed', lost)
    return lost
  }
  const { amount, currency, id: source } = dispute
  const back = draft.put(newBalanceTransaction({ amount, currency, source, type: 'adjustment', now: draft.now }))
  const won = draft.put({
    ...dispute,
    status: 'won',
    balance_transactions: [...dispute.balance_transactions, back],
  } satisfies Stripe.Dispute)
  const charge = draft.need('charge', dispute.charge as string)
  noteSession(draft, sessionOf(draft, charge), { kind: 'dispute_won', amount })
  draft.emit('charge.dispute.closed', won)
  draft.emit('charge.dispute.funds_reinstated', won)
  return won
}

export function warnOfFraud(draft: Draft, charge: Stripe.Charge) {
  const warning = draft.put(newFraudWarning(charge, draft.now))
  draft.emit('radar.early_fraud_warning.created', warning)
  return warning
}
