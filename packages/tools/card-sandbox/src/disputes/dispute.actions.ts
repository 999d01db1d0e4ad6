import type Stripe from 'stripe'
import { addSessionEntry } from '../checkout/session.actions.ts'
import { invalid } from '../errors/api-error.ts'
import { newBalanceTransaction } from '../intents/balance.ts'
import { newId } from '../store/id.ts'
import type { Transaction } from '../store/transaction.ts'
import { disputeFee, newDispute, newFraudWarning } from './dispute.ts'

const sessionOf = (tx: Transaction, charge: Stripe.Charge) =>
  tx.get('checkout.session', tx.get('sandbox.payment', charge.payment_intent as string).session)

type Opening = {
  reason: Stripe.Dispute['reason']
  /** Cents; default: all that was captured. */
  amount?: number
  inquiry?: boolean
}

/**
 * The buyer's bank withdraws a captured charge or a part of it; an inquiry withdraws nothing. A charge may have several
 * disputes, which withdraw no more than was captured.
 */
export function openDispute(tx: Transaction, charge: Stripe.Charge, { reason, amount, inquiry = false }: Opening) {
  const left = charge.amount_captured - openAmountOf(tx, charge)
  const disputed = amount ?? left
  if (!charge.captured || left <= 0) {
    throw invalid('Only a captured charge that is not disputed as a whole can be disputed.', { param: 'charge' })
  }
  if (disputed > left) throw invalid('More than was captured and is not disputed.', { param: 'amount' })
  const id = newId('dp')
  const withdrawal = inquiry ? null : withdraw(tx, { charge, id, amount: disputed, reason })
  const dispute = tx.save(newDispute({ id, charge, reason, amount: disputed, withdrawal, now: tx.now }))
  tx.emit('charge.dispute.created', dispute)
  if (withdrawal) tx.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

/** What its other disputes and inquiries concern, without those that ended for the merchant. Cents. */
const openAmountOf = (tx: Transaction, charge: Stripe.Charge) =>
  tx
    .list('dispute')
    .filter(({ charge: of, status }) => of === charge.id && status !== 'won' && status !== 'warning_closed')
    .reduce((sum, dispute) => sum + dispute.amount, 0)

/** An inquiry becomes a dispute: the bank withdraws the money. */
export function escalateInquiry(tx: Transaction, disputeId: string) {
  const inquiry = tx.get('dispute', disputeId, 'dispute')
  if (!inquiry.status.startsWith('warning_') || inquiry.status === 'warning_closed')
    throw invalid(`This is ${inquiry.status}.`, { param: 'dispute' })
  const { id, amount, reason, status } = inquiry
  const withdrawal = withdraw(tx, { charge: tx.get('charge', inquiry.charge as string), id, amount, reason })
  const dispute = tx.save({
    ...inquiry,
    status: 'needs_response',
    is_charge_refundable: false,
    balance_transactions: [withdrawal],
  } satisfies Stripe.Dispute)
  tx.emit('charge.dispute.updated', dispute, { status })
  tx.emit('charge.dispute.funds_withdrawn', dispute)
  return dispute
}

type Withdrawal = { charge: Stripe.Charge; id: string; amount: number; reason: string }

function withdraw(tx: Transaction, { charge, id, amount, reason }: Withdrawal) {
  const { currency } = charge
  const movement = {
    amount: -amount,
    currency,
    source: id,
    type: 'adjustment',
    feeCents: disputeFee,
    now: tx.now,
  } as const
  tx.save({ ...charge, disputed: true })
  addSessionEntry(tx, sessionOf(tx, charge), { kind: 'disputed', amount, reason })
  return tx.save(newBalanceTransaction(movement))
}

/** The outcome of a dispute or an inquiry. A won dispute returns the money; an inquiry is only closed. */
export function closeDispute(tx: Transaction, disputeId: string, outcome: 'won' | 'lost' | 'closed') {
  const dispute = tx.get('dispute', disputeId, 'dispute')
  const expected = outcome === 'closed' ? 'warning_' : ''
  if (![`${expected}needs_response`, `${expected}under_review`].includes(dispute.status))
    throw invalid(`This dispute is ${dispute.status}.`, { param: 'dispute' })
  if (outcome !== 'won') {
    const status = outcome === 'lost' ? 'lost' : 'warning_closed'
    const closed = tx.save({ ...dispute, status } satisfies Stripe.Dispute)
    tx.emit('charge.dispute.closed', closed)
    return closed
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

export type Evidence = { evidence?: Partial<Stripe.Dispute['evidence']>; submit?: boolean; metadata?: Stripe.Metadata }

/** Adds evidence, and submits it once unless `submit` is false: then the bank decides. */
export function addEvidence(tx: Transaction, disputeId: string, { evidence = {}, submit = true, metadata }: Evidence) {
  const dispute = tx.get('dispute', disputeId, 'dispute')
  const { status, evidence_details: details } = dispute
  if (!status.endsWith('needs_response')) throw invalid(`This dispute is ${status}.`, { param: 'dispute' })
  const given = Object.fromEntries(Object.entries(evidence).filter(([, text]) => text !== undefined))
  const updated = tx.save({
    ...dispute,
    metadata: { ...dispute.metadata, ...metadata },
    evidence: { ...dispute.evidence, ...given },
    evidence_details: {
      ...details,
      has_evidence: details.has_evidence || Object.keys(given).length > 0,
      submission_count: details.submission_count + (submit ? 1 : 0),
      submission_method: submit ? 'manual' : details.submission_method,
    },
    status: !submit ? status : status === 'needs_response' ? 'under_review' : 'warning_under_review',
  } satisfies Stripe.Dispute)
  tx.emit('charge.dispute.updated', updated, submit ? { status } : {})
  return updated
}

export function createFraudWarning(tx: Transaction, charge: Stripe.Charge) {
  const warning = tx.save(newFraudWarning(charge, tx.now))
  tx.emit('radar.early_fraud_warning.created', warning)
  return warning
}
