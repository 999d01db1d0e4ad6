import type Stripe from 'stripe'
import { addSessionEntry } from '../checkout/session.actions.ts'
import { invalid } from '../errors/api-error.ts'
import { newBalanceTransaction } from '../intents/balance.ts'
import { behaviourOf } from '../intents/card.ts'
import type { PendingRefund } from '../store/object.ts'
import type { Transaction } from '../store/transaction.ts'
import { newRefund, refundable, withRefunded } from './refund.ts'

type Charge = Stripe.Charge

/** Duration of a refund that finishes later. */
const pendingSeconds = 5

type RefundRequest = {
  charge?: string
  payment_intent?: string
  /** Cents; default: the whole remaining amount. */
  amount?: number
  reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer'
  metadata?: Record<string, string>
}

function chargeOf(tx: Transaction, { charge, payment_intent }: RefundRequest): Charge {
  if (charge) return tx.get('charge', charge, 'charge')
  const intent = tx.get('payment_intent', payment_intent!, 'payment_intent')
  if (intent.latest_charge) return tx.get('charge', intent.latest_charge as string)
  throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`)
}

function checkRefundable(charge: Charge) {
  const { id } = charge
  if (charge.disputed) throw invalid(`Charge ${id} has been charged back.`, { code: 'charge_disputed' })
  if (!charge.captured) throw invalid(`Charge ${id} has not been captured: cancel its PaymentIntent instead.`)
  if (charge.refunded) throw invalid(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' })
}

/** Refunds a captured charge, at most its remaining amount. */
export function createRefund(tx: Transaction, request: RefundRequest): Stripe.Refund {
  const charge = chargeOf(tx, request)
  checkRefundable(charge)
  const left = refundable(charge)
  const amount = request.amount ?? left
  if (amount > left) {
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, {
      param: 'amount',
    })
  }
  const payment = tx.get('sandbox.payment', charge.payment_intent as string)
  const behaviour = behaviourOf(payment.card)
  const later = behaviour.kind === 'approved' ? behaviour.later : undefined
  const movement = tx.save(
    newBalanceTransaction({
      amount: -amount,
      currency: charge.currency,
      source: charge.id,
      type: 'refund',
      now: tx.now,
    }),
  )
  const refund = tx.save(
    newRefund({
      charge,
      amount,
      reason: request.reason ?? null,
      status: later === 'refund_pending' ? 'pending' : 'succeeded',
      metadata: request.metadata,
      balanceTransaction: movement.id,
      now: tx.now,
    }),
  )
  if (later === 'refund_pending' || later === 'refund_fails') {
    const outcome = later === 'refund_fails' ? 'failed' : 'succeeded'
    tx.save({ object: 'sandbox.pending_refund', id: refund.id, outcome, due: tx.now + pendingSeconds })
  }
  const refunded = tx.save(withRefunded(charge, amount))
  addSessionEntry(tx, tx.get('checkout.session', payment.session), { kind: 'refunded', amount })
  tx.emit('refund.created', refund)
  tx.emit('charge.refunded', refunded)
  return refund
}

/** Finishes a pending refund: it succeeds, or fails and the money returns to the merchant. */
export function finishRefund(tx: Transaction, pendingRefund: PendingRefund) {
  tx.save({ ...pendingRefund, due: null })
  const { pending_reason: _, ...refund } = tx.get('refund', pendingRefund.id)
  const { status } = refund
  if (status === 'failed') return
  if (pendingRefund.outcome === 'succeeded') {
    const succeeded = tx.save({ ...refund, status: 'succeeded' } satisfies Stripe.Refund)
    tx.emit('refund.updated', succeeded, { status })
    return
  }
  failRefund(tx, refund)
}

/** The bank cannot pay a refund out, also after it succeeded: the money returns to the merchant. */
export function failRefund(tx: Transaction, { pending_reason: _, ...refund }: Stripe.Refund): Stripe.Refund {
  if (refund.status !== 'succeeded' && refund.status !== 'pending')
    throw invalid(`This refund is ${refund.status}.`, { param: 'refund' })
  const charge = tx.get('charge', refund.charge as string)
  if (!charge.captured) throw invalid('The release of a hold cannot fail.', { param: 'refund' })
  const back = tx.save(
    newBalanceTransaction({
      amount: refund.amount,
      currency: refund.currency,
      source: refund.id,
      type: 'payment_failure_refund',
      now: tx.now,
    }),
  )
  tx.save(withRefunded(charge, -refund.amount))
  const { session } = tx.get('sandbox.payment', charge.payment_intent as string)
  addSessionEntry(tx, tx.get('checkout.session', session), { kind: 'refund_failed', amount: refund.amount })
  const failure = { failure_balance_transaction: back.id, failure_reason: 'expired_or_canceled_card' }
  const failed = tx.save({ ...refund, ...failure, status: 'failed' } satisfies Stripe.Refund)
  tx.emit('refund.failed', failed)
  return failed
}
