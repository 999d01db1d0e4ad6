import type Stripe from 'stripe'
import { invalid } from '../api/api-error.ts'
import { noteSession } from '../checkout/session.actions.ts'
import { newBalanceTransaction } from '../payments/balance.ts'
import { behaviourOf } from '../payments/card.ts'
import type { Settlement } from '../store/object.ts'
import type { Draft } from '../store/transaction.ts'
import { newRefund, refundable, withRefunded } from './refund.ts'

type Charge = Stripe.Charge

/** How long a refund that settles later takes. */
const settlesAfterSeconds = 5

export type RefundRequest = {
  charge?: string
  payment_intent?: string
  /** Cents; everything that is left when absent. */
  amount?: number
  reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer'
  metadata?: Record<string, string>
}

function chargeOf(draft: Draft, { charge, payment_intent }: RefundRequest): Charge {
  if (charge) return draft.need('charge', charge, 'charge')
  const intent = draft.need('payment_intent', payment_intent!, 'payment_intent')
  if (intent.latest_charge) return draft.need('charge', intent.latest_charge as string)
  throw invalid(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`)
}

function checkRefundable(charge: Charge) {
  const { id } = charge
  if (charge.disputed) throw invalid(`Charge ${id} has been charged back.`, { code: 'charge_disputed' })
  if (!charge.captured) throw invalid(`Charge ${id} has not been captured: cancel its PaymentIntent instead.`)
  if (charge.refunded) throw invalid(`Charge ${id} has already been refunded.`, { code: 'charge_already_refunded' })
}

/** Gives captured money back: never more than is left. */
export function createRefund(draft: Draft, request: RefundRequest): Stripe.Refund {
  const charge = chargeOf(draft, request)
  checkRefundable(charge)
  const left = refundable(charge)
  const amount = request.amount ?? left
  if (amount > left) {
    throw invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left}).`, {
      param: 'amount',
    })
  }
  const payment = draft.need('sandbox.payment', charge.payment_intent as string)
  const behaviour = behaviourOf(payment.card)
  const later = behaviour.kind === 'approved' ? behaviour.later : undefined
  const movement = draft.put(
    newBalanceTransaction({
      amount: -amount,
      currency: charge.currency,
      source: charge.id,
      type: 'refund',
      now: draft.now,
    }),
  )
  const refund = draft.put(
    newRefund({
      charge,
      amount,
      reason: request.reason ?? null,
      status: later === 'refund_pending' ? 'pending' : 'succeeded',
      metadata: request.metadata,
      balanceTransaction: movement.id,
      now: draft.now,
    }),
  )
  if (later === 'refund_pending' || later === 'refund_fails') {
    const outcome = later === 'refund_fails' ? 'failed' : 'succeeded'
    draft.put({ object: 'sandbox.settlement', id: refund.id, outcome, due: draft.now + settlesAfterSeconds })
  }
  const refunded = draft.put(withRefunded(charge, amount))
  noteSession(draft, draft.need('checkout.session', payment.session), { kind: 'refunded', amount })
  draft.emit('refund.created', refund)
  draft.emit('charge.refunded', refunded)
  return refund
}

/** What becomes of a refund that takes its time: it arrives, or the money comes back to the merchant. */
export function settleRefund(draft: Draft, settlement: Settlement) {
  draft.put({ ...settlement, due: null })
  const { pending_reason: _, ...refund } = draft.need('refund', settlement.id)
  const { status } = refund
  if (settlement.outcome === 'succeeded') {
    const settled = draft.put({ ...refund, status: 'succeeded' } satisfies Stripe.Refund)
    return draft.emit('refund.updated', settled, { status })
  }
  const charge = draft.need('charge', refund.charge as string)
  const back = draft.put(
    newBalanceTransaction({
      amount: refund.amount,
      currency: refund.currency,
      source: refund.id,
      type: 'payment_failure_refund',
      now: draft.now,
    }),
  )
  draft.put(withRefunded(charge, -refund.amount))
  const { session } = draft.need('sandbox.payment', charge.payment_intent as string)
  noteSession(draft, draft.need('checkout.session', session), { kind: 'refund_failed', amount: refund.amount })
  const failure = { failure_balance_transaction: back.id, failure_reason: 'expired_or_canceled_card' }
  draft.emit('refund.failed', draft.put({ ...refund, ...failure, status: 'failed' } satisfies Stripe.Refund))
}
