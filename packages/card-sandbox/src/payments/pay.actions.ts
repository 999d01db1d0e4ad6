import type Stripe from 'stripe'
import { Refusal } from '../api/api-error.ts'
import { noteSession } from '../checkout/session.actions.ts'
import { customerDetails } from '../checkout/session.ts'
import type { Draft } from '../store/transaction.ts'
import { takeMoney } from './capture.actions.ts'
import { type Behaviour, behaviourOf } from './card.ts'
import { type Buyer, failedCharge, heldCharge, holdSeconds } from './charge.ts'
import { authenticationAsked, authorised, type Failure, failed, newIntent } from './intent.ts'

type Session = Stripe.Checkout.Session
export type PayOutcome = { status: 'authorised' | 'requires_action' | 'declined'; error?: Failure; session: Session }
export type PayInput = { card: string; buyer: Buyer }

const notOpen = ({ status }: Session) =>
  new Refusal(409, { type: 'invalid_request_error', code: 'session_not_open', message: `This session is ${status}.` })

function needOpen(draft: Draft, sessionId: string): Session {
  const session = draft.need('checkout.session', sessionId, 'session')
  if (session.status !== 'open') throw notOpen(session)
  return session
}

/** The session's intent; made at the buyer's first try. */
function intentOf(draft: Draft, session: Session): { session: Session; intent: Stripe.PaymentIntent } {
  if (session.payment_intent) {
    return { session, intent: draft.need('payment_intent', session.payment_intent as string) }
  }
  const intent = newIntent({
    basket: draft.need('sandbox.basket', session.id),
    amount: session.amount_total!,
    currency: session.currency!,
    now: draft.now,
  })
  draft.emit('payment_intent.created', draft.put(intent))
  return { intent, session: draft.put({ ...session, payment_intent: intent.id }) }
}

/** A buyer's try with a card. Seconds to hold: seven days. */
export function pay(draft: Draft, sessionId: string, { card, buyer }: PayInput): PayOutcome {
  const { session, intent } = intentOf(draft, needOpen(draft, sessionId))
  draft.put({ object: 'sandbox.payment', id: intent.id, session: session.id, card, holdUntil: null })

  const known = draft.put({ ...session, customer_details: customerDetails(buyer) })
  const behaviour = behaviourOf(card)
  if (behaviour.kind === 'declined') return decline(draft, { session: known, intent, card, buyer }, behaviour)
  if (behaviour.kind === 'authentication') return askAuthentication(draft, known, intent)
  return authorise(draft, { session: known, intent, card, buyer })
}

type Try = { session: Session; intent: Stripe.PaymentIntent; card: string; buyer: Buyer }

function decline(
  draft: Draft,
  { session, intent, card, buyer }: Try,
  { code, declineCode, message }: Extract<Behaviour, { kind: 'declined' }>,
): PayOutcome {
  const charge = draft.put(failedCharge({ intent, card, buyer, now: draft.now }, { code, declineCode, message }))
  const error = { code, declineCode, message, charge: charge.id }
  draft.emit('charge.failed', charge)
  draft.emit('payment_intent.payment_failed', draft.put(failed(intent, error)))
  noteSession(draft, session, { kind: 'declined', amount: intent.amount, reason: declineCode ?? code })
  return { status: 'declined', error, session }
}

function askAuthentication(draft: Draft, session: Session, intent: Stripe.PaymentIntent): PayOutcome {
  const asked = draft.put(authenticationAsked(intent, `${session.url}/authenticate`))
  draft.emit('payment_intent.requires_action', asked)
  noteSession(draft, session, { kind: 'authentication_asked', amount: intent.amount })
  return { status: 'requires_action', session }
}

function authorise(draft: Draft, { session, intent, card, buyer }: Try): PayOutcome {
  const charge = draft.put(heldCharge({ intent, card, buyer, now: draft.now }))
  const held = draft.put(authorised(intent, charge))
  draft.put({ object: 'sandbox.payment', id: intent.id, session: session.id, card, holdUntil: draft.now + holdSeconds })
  draft.emit('charge.succeeded', charge)
  noteSession(draft, session, { kind: 'held', amount: intent.amount })

  const complete = draft.put({ ...session, status: 'complete', url: null } satisfies Session)
  if (intent.capture_method === 'manual') draft.emit('payment_intent.amount_capturable_updated', held)
  else takeMoney(draft, held)
  const finished = draft.need('checkout.session', complete.id)
  draft.emit('checkout.session.completed', finished)
  return { status: 'authorised', session: finished }
}

/** The buyer's answer to their bank. Failing leaves the session open for another card. */
export function authenticate(draft: Draft, sessionId: string, outcome: 'complete' | 'fail'): PayOutcome {
  const session = needOpen(draft, sessionId)
  const intent = session.payment_intent ? draft.need('payment_intent', session.payment_intent as string) : undefined
  if (intent?.status !== 'requires_action') {
    throw new Refusal(409, {
      type: 'invalid_request_error',
      code: 'authentication_not_asked',
      message: 'No authentication is being asked for.',
    })
  }
  if (outcome === 'complete') {
    const { card } = draft.need('sandbox.payment', intent.id)
    const { email, name } = session.customer_details!
    return authorise(draft, { session, intent, card, buyer: { email: email ?? '', name: name ?? '' } })
  }
  const error = {
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose a different one and try again.',
  }
  draft.emit('payment_intent.payment_failed', draft.put(failed(intent, error)))
  noteSession(draft, session, { kind: 'declined', amount: intent.amount, reason: error.code })
  return { status: 'declined', error, session }
}
