import type Stripe from 'stripe'
import { addSessionEntry } from '../checkout/session.actions.ts'
import { createFraudWarning, openDispute } from '../disputes/dispute.actions.ts'
import { invalid, unexpectedState } from '../errors/api-error.ts'
import { cardFee, newBalanceTransaction } from '../intents/balance.ts'
import { behaviourOf } from '../intents/card.ts'
import { capturedCharge, releasedCharge } from '../intents/charge.ts'
import { canceled, captured } from '../intents/intent.ts'
import { newRefund } from '../refunds/refund.ts'
import type { Transaction } from '../store/transaction.ts'

type Intent = Stripe.PaymentIntent

const chargeOf = (tx: Transaction, intent: Intent) => tx.get('charge', intent.latest_charge as string)

const sessionOf = (tx: Transaction, intent: Intent) =>
  tx.get('checkout.session', tx.get('sandbox.payment', intent.id).session)

function endHold(tx: Transaction, intent: Intent) {
  return tx.save({ ...tx.get('sandbox.payment', intent.id), holdUntil: null })
}

type Capture = { amount?: number; metadata?: Record<string, string> }

/**
 * Captures a hold once: all of it, or a part, which releases the rest. Amount in cents. Metadata is added to the
 * intent's.
 */
export function capture(tx: Transaction, intentId: string, { amount, metadata }: Capture): Intent {
  const intent = tx.get('payment_intent', intentId, 'intent')
  if (intent.status !== 'requires_capture') throw unexpectedState('captured', intent)
  if (amount !== undefined && amount > intent.amount_capturable) {
    throw invalid(`The amount to capture is more than the capturable ${intent.amount_capturable}.`, {
      code: 'amount_too_large',
      param: 'amount_to_capture',
    })
  }
  return captureFunds(tx, { ...intent, metadata: { ...intent.metadata, ...metadata } }, amount)
}

/** Also for automatic capture. Amount in cents. */
export function captureFunds(tx: Transaction, intent: Intent, amount = intent.amount_capturable): Intent {
  const { card } = endHold(tx, intent)
  const held = chargeOf(tx, intent)
  const movement = tx.save(
    newBalanceTransaction({
      amount,
      currency: intent.currency,
      source: held.id,
      type: 'charge',
      feeCents: cardFee(amount),
      now: tx.now,
    }),
  )
  const charge = tx.save(capturedCharge(held, amount, movement.id))
  const done = tx.save(captured(intent, amount))
  const session = tx.save({ ...sessionOf(tx, intent), payment_status: 'paid' } satisfies Stripe.Checkout.Session)

  const rest = intent.amount - amount
  addSessionEntry(tx, session, { kind: 'captured', amount })
  if (rest > 0) addSessionEntry(tx, session, { kind: 'released', amount: rest, reason: 'partial_capture' })
  tx.emit('charge.captured', charge)
  tx.emit('payment_intent.succeeded', done)

  const behaviour = behaviourOf(card)
  if (behaviour.kind === 'approved' && behaviour.later === 'dispute') openDispute(tx, charge, { reason: 'fraudulent' })
  if (behaviour.kind === 'approved' && behaviour.later === 'fraud_warning') createFraudWarning(tx, charge)
  return done
}

/** Releases a hold. An intent of a Checkout Session can be cancelled only while it holds money. */
export function cancelHold(tx: Transaction, intentId: string, reason: Intent['cancellation_reason']): Intent {
  const intent = tx.get('payment_intent', intentId, 'intent')
  if (intent.status !== 'requires_capture') throw unexpectedState('canceled', intent)

  const { charge, ended } = release(tx, intent, { reason, refundReason: null })
  tx.emit('payment_intent.canceled', ended)
  tx.emit('charge.refunded', charge)
  return ended
}

/** The card's bank releases a hold after seven days. */
export function expireHold(tx: Transaction, intent: Intent) {
  const { charge, ended } = release(tx, intent, {
    reason: 'automatic',
    refundReason: 'expired_uncaptured_charge',
  })
  tx.emit('charge.expired', charge)
  tx.emit('payment_intent.canceled', ended)
}

function release(
  tx: Transaction,
  intent: Intent,
  { reason, refundReason }: { reason: Intent['cancellation_reason']; refundReason: Stripe.Refund['reason'] },
) {
  endHold(tx, intent)
  const held = chargeOf(tx, intent)
  tx.save(
    newRefund({
      charge: held,
      amount: held.amount,
      reason: refundReason,
      status: 'succeeded',
      balanceTransaction: null,
      now: tx.now,
    }),
  )
  addSessionEntry(tx, sessionOf(tx, intent), {
    kind: 'released',
    amount: intent.amount,
    reason: refundReason ?? reason ?? 'cancelled',
  })
  return { charge: tx.save(releasedCharge(held)), ended: tx.save(canceled(intent, reason, tx.now)) }
}
