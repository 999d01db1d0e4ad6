import type Stripe from 'stripe'
import { invalid, unexpectedState } from '../api/api-error.ts'
import { noteSession } from '../checkout/session.actions.ts'
import { openDispute, warnOfFraud } from '../disputes/dispute.actions.ts'
import { newRefund } from '../refunds/refund.ts'
import type { Draft } from '../store/transaction.ts'
import { cardFee, newBalanceTransaction } from './balance.ts'
import { behaviourOf } from './card.ts'
import { capturedCharge, releasedCharge } from './charge.ts'
import { canceled, captured } from './intent.ts'

type Intent = Stripe.PaymentIntent

const chargeOf = (draft: Draft, intent: Intent) => draft.need('charge', intent.latest_charge as string)

const sessionOf = (draft: Draft, intent: Intent) =>
  draft.need('checkout.session', draft.need('sandbox.payment', intent.id).session)

function endHold(draft: Draft, intent: Intent) {
  return draft.put({ ...draft.need('sandbox.payment', intent.id), holdUntil: null })
}

/** Captures a hold, once: all of it, or less and the rest is let go. Amount in cents. */
export function capture(draft: Draft, intentId: string, amount?: number): Intent {
  const intent = draft.need('payment_intent', intentId, 'intent')
  if (intent.status !== 'requires_capture') throw unexpectedState('captured', intent)
  if (amount !== undefined && amount > intent.amount_capturable) {
    throw invalid(`The amount to capture is more than the capturable ${intent.amount_capturable}.`, {
      code: 'amount_too_large',
      param: 'amount_to_capture',
    })
  }
  return takeMoney(draft, intent, amount)
}

/** The capture itself, also of a charge that is captured at once. */
export function takeMoney(draft: Draft, intent: Intent, amount = intent.amount_capturable): Intent {
  const { card } = endHold(draft, intent)
  const held = chargeOf(draft, intent)
  const movement = draft.put(
    newBalanceTransaction({
      amount,
      currency: intent.currency,
      source: held.id,
      type: 'charge',
      feeCents: cardFee(amount),
      now: draft.now,
    }),
  )
  const charge = draft.put(capturedCharge(held, amount, movement.id))
  const done = draft.put(captured(intent, amount))
  const session = draft.put({ ...sessionOf(draft, intent), payment_status: 'paid' } satisfies Stripe.Checkout.Session)

  const rest = intent.amount - amount
  noteSession(draft, session, { kind: 'captured', amount })
  if (rest > 0) noteSession(draft, session, { kind: 'released', amount: rest, reason: 'partial_capture' })
  draft.emit('charge.captured', charge)
  draft.emit('payment_intent.succeeded', done)

  const behaviour = behaviourOf(card)
  if (behaviour.kind === 'approved' && behaviour.later === 'dispute') openDispute(draft, charge, 'fraudulent')
  if (behaviour.kind === 'approved' && behaviour.later === 'fraud_warning') warnOfFraud(draft, charge)
  return done
}

/** Lets a hold go. An intent of a session can be cancelled by itself only while it holds money. */
export function cancelHold(draft: Draft, intentId: string, reason: Intent['cancellation_reason']): Intent {
  const intent = draft.need('payment_intent', intentId, 'intent')
  if (intent.status !== 'requires_capture') throw unexpectedState('canceled', intent)

  const { charge, ended } = release(draft, intent, { reason, refundReason: null })
  draft.emit('payment_intent.canceled', ended)
  draft.emit('charge.refunded', charge)
  return ended
}

/** After seven days the card's bank lets the hold go by itself. */
export function lapseHold(draft: Draft, intent: Intent) {
  const { charge, ended } = release(draft, intent, {
    reason: 'automatic',
    refundReason: 'expired_uncaptured_charge',
  })
  draft.emit('charge.expired', charge)
  draft.emit('payment_intent.canceled', ended)
}

function release(
  draft: Draft,
  intent: Intent,
  { reason, refundReason }: { reason: Intent['cancellation_reason']; refundReason: Stripe.Refund['reason'] },
) {
  endHold(draft, intent)
  const held = chargeOf(draft, intent)
  draft.put(
    newRefund({
      charge: held,
      amount: held.amount,
      reason: refundReason,
      status: 'succeeded',
      balanceTransaction: null,
      now: draft.now,
    }),
  )
  noteSession(draft, sessionOf(draft, intent), {
    kind: 'released',
    amount: intent.amount,
    reason: refundReason ?? reason ?? 'cancelled',
  })
  return { charge: draft.put(releasedCharge(held)), ended: draft.put(canceled(intent, reason, draft.now)) }
}
