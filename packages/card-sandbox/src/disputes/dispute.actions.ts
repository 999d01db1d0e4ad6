import type Stripe from 'stripe'
import { invalid } from '../api/api-error.ts'
import { addSessionEntry } from '../checkout/session.actions.ts'
import { newBalanceTransaction } from '../payments/balance.ts'
import { newId } from '../store/id.ts'
import type { Transaction } from '../store/transaction.ts'
import { disputeFee, newDispute, newFraudWarning } from './dispute.ts'

const sessionOf = (tx: Transaction, charge: Stripe.Charge) =>
  tx.get('checkout.session', tx.get('sandbox.payment', charge.payment_intent as string).session)

/** The buyer's bank withdraws a captured charge. */
export function openDispute(tx: Transaction, charge: Stripe.Charge, reason: Stripe.Dispute['reason']) {
  if (!charge.captured || charge.disputed) {
    throw invalid('Only a captured charge without a dispute can be disputed.', { param: 'charge' })
  }
  const id = newId('dp')
  const withdrawal = tx.save(
    newBalanceTransaction({
      amount: -charge.amount_captured,
      currency: charge.currency,
      source: id,
      type: 'adjustment',
      feeCents: disputeFee,
      now: tx.now,
    }),
  )
  tx.save({ ...charge, disputed: true })
  const dispute = tx.save(newDispute({ id, charge, reason, withdrawal, now: tx.now }))
  addSessionEntry(tx, sessionOf(tx, charge), { kind: 'disputed', amount: dispute.amount, reason })
  tx.emit('charge.dispute.created', dispute)
  tx.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** The outcome of a dispute. A won one returns the money. */
export function closeDispute(tx: Transaction, disputeId: string, outcome: 'won' | 'lost') {
  const dispute = tx.get('dispute', disputeId, 'dispute')
  if (dispute.status !== 'needs_response') throw invalid(`This dispute is ${dispute.status}.`, { param: 'dispute' })
  if (outcome === 'lost') {
    const lost = tx.save({ ...dispute, status: 'lost' } satisfies Stripe.Dispute)
    tx.emit('charge.dispute.closed', lost)
    return lost
  }
  const { amount, currency, id: source } = dispute
  const back = tx.save(newBalanceTransaction({ amount, currency, source, type: 'adjustment', now: tx.now }))
  const won = tx.save({
    ...dispute,
    status: 'won',
    balance_transactions: [...dispute.balance_transactions, back],
  } satisfies Stripe.Dispute)
  const charge = tx.get('charge', dispute.charge as string)
  addSessionEntry(tx, sessionOf(tx, charge), { kind: 'dispute_won', amount })
  tx.emit('charge.dispute.closed', won)
  tx.emit('charge.dispute.funds_reinstated', won)
  return won
}

export function createFraudWarning(tx: Transaction, charge: Stripe.Charge) {
  const warning = tx.save(newFraudWarning(charge, tx.now))
  tx.emit('radar.early_fraud_warning.created', warning)
  return warning
}
