import type Stripe from 'stripe'
import { addSessionEntry } from '../checkout/session.actions.ts'
import { customerDetails } from '../checkout/session.ts'
import { findCustomer, saveCard, updateCustomer } from '../customers/customer.actions.ts'
import { ApiError } from '../errors/api-error.ts'
import { type Behaviour, behaviourOf } from '../intents/card.ts'
import { type Buyer, failedCharge, heldCharge, holdSeconds, type PhoneWallet } from '../intents/charge.ts'
import { authorised, type Failure, failed, newIntent, requiresAction } from '../intents/intent.ts'
import type { Transaction } from '../store/transaction.ts'
import { captureFunds } from './capture.actions.ts'

type Session = Stripe.Checkout.Session
export type PayOutcome = { status: 'authorised' | 'requires_action' | 'declined'; error?: Failure; session: Session }
/** `save`: the buyer wants the card saved. `savedCard`: the id of the saved card that is used. */
export type PayInput = { card: string; buyer: Buyer; wallet?: PhoneWallet; save?: boolean; savedCard?: string }

const notOpen = ({ status }: Session) =>
  new ApiError(409, { type: 'invalid_request_error', code: 'session_not_open', message: `This session is ${status}.` })

function getOpenSession(tx: Transaction, sessionId: string): Session {
  const session = tx.get('checkout.session', sessionId, 'session')
  if (session.status !== 'open') throw notOpen(session)
  return session
}

const threeDSecureOf = ({ payment_method_options: options }: Session) =>
  (options?.card?.request_three_d_secure ?? 'automatic') as 'automatic' | 'any' | 'challenge'

/** The session's intent, which the buyer's first attempt creates. */
function intentOf(tx: Transaction, session: Session): { session: Session; intent: Stripe.PaymentIntent } {
  if (session.payment_intent) {
    return { session, intent: tx.get('payment_intent', session.payment_intent as string) }
  }
  const intent = newIntent({
    basket: tx.get('sandbox.basket', session.id),
    amount: session.amount_total!,
    currency: session.currency!,
    threeDSecure: threeDSecureOf(session),
    customer: session.customer as string | null,
    now: tx.now,
  })
  tx.emit('payment_intent.created', tx.save(intent))
  return { intent, session: tx.save({ ...session, payment_intent: intent.id }) }
}

/** A buyer's attempt to pay with a card, or with a wallet that holds it. */
export function pay(tx: Transaction, sessionId: string, { card, buyer, wallet, ...saving }: PayInput): PayOutcome {
  const open = getOpenSession(tx, sessionId)
  checkCustomer(tx, open, buyer)
  const { session, intent } = intentOf(tx, open)
  tx.save({ object: 'sandbox.payment', id: intent.id, session: session.id, card, holdUntil: null, ...saving })

  const known = tx.save({ ...session, customer_details: customerDetails(buyer) })
  const behaviour = behaviourOf(card)
  if (behaviour.kind === 'declined') return decline(tx, { session: known, intent, card, buyer }, behaviour)
  const isAsked = behaviour.kind === 'authentication' && !(behaviour.onRequest && threeDSecureOf(known) === 'automatic')
  if (isAsked) return requireAuthentication(tx, known, intent)
  return authorise(tx, { session: known, intent, card, buyer, wallet })
}

/** The page of a customer without an address adds the typed one. Throws 400 when the customer was deleted meanwhile. */
function checkCustomer(tx: Transaction, session: Session, { email }: Buyer) {
  if (session.customer === null) return
  const customer = findCustomer(tx, session.customer as string)
  if (!customer) {
    throw new ApiError(400, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such customer: '${session.customer}'`,
      param: 'customer',
    })
  }
  if (customer.email === null) updateCustomer(tx, customer.id, { email })
}

type PaymentAttempt = {
  session: Session
  intent: Stripe.PaymentIntent
  card: string
  buyer: Buyer
  wallet?: PhoneWallet
  authenticated?: boolean
}

function decline(
  tx: Transaction,
  { session, intent, card, buyer }: PaymentAttempt,
  { code, declineCode, message }: Extract<Behaviour, { kind: 'declined' }>,
): PayOutcome {
  const charge = tx.save(failedCharge({ intent, card, buyer, now: tx.now }, { code, declineCode, message }))
  const error = { code, declineCode, message, charge: charge.id }
  tx.emit('charge.failed', charge)
  tx.emit('payment_intent.payment_failed', tx.save(failed(intent, error)))
  addSessionEntry(tx, session, { kind: 'declined', amount: intent.amount, reason: declineCode ?? code })
  return { status: 'declined', error, session }
}

function requireAuthentication(tx: Transaction, session: Session, intent: Stripe.PaymentIntent): PayOutcome {
  const waiting = tx.save(requiresAction(intent, `${session.url}/authenticate`))
  tx.emit('payment_intent.requires_action', waiting)
  addSessionEntry(tx, session, { kind: 'authentication_asked', amount: intent.amount })
  return { status: 'requires_action', session }
}

function authorise(tx: Transaction, { session, intent, ...attempt }: PaymentAttempt): PayOutcome {
  const { card, buyer } = attempt
  const payment = tx.get('sandbox.payment', intent.id)
  const charge = tx.save(heldCharge({ intent, ...attempt, savedCard: payment.savedCard, now: tx.now }))
  const held = tx.save(authorised(intent, charge))
  tx.save({ ...payment, holdUntil: tx.now + holdSeconds })
  if (payment.save && session.customer)
    saveCard(tx, {
      id: charge.payment_method as string,
      customer: session.customer as string,
      number: card,
      ...buyer,
    })
  tx.emit('charge.succeeded', charge)
  addSessionEntry(tx, session, { kind: 'held', amount: intent.amount })

  const complete = tx.save({ ...session, status: 'complete', url: null } satisfies Session)
  if (intent.capture_method === 'manual') tx.emit('payment_intent.amount_capturable_updated', held)
  else captureFunds(tx, held)
  const finished = tx.get('checkout.session', complete.id)
  tx.emit('checkout.session.completed', finished)
  return { status: 'authorised', session: finished }
}

/** The outcome of the buyer's authentication. After a failure the session stays open for another card. */
export function authenticate(tx: Transaction, sessionId: string, outcome: 'complete' | 'fail'): PayOutcome {
  const session = getOpenSession(tx, sessionId)
  const intent = session.payment_intent ? tx.get('payment_intent', session.payment_intent as string) : undefined
  if (intent?.status !== 'requires_action') {
    throw new ApiError(409, {
      type: 'invalid_request_error',
      code: 'authentication_not_asked',
      message: 'This payment requires no authentication.',
    })
  }
  if (outcome === 'complete') {
    const { card } = tx.get('sandbox.payment', intent.id)
    const { email, name } = session.customer_details!
    return authorise(tx, {
      session,
      intent,
      card,
      buyer: { email: email ?? '', name: name ?? '' },
      authenticated: true,
    })
  }
  const error = {
    code: 'payment_intent_authentication_failure',
    message: 'We are unable to authenticate your payment method. Please choose a different one and try again.',
  }
  tx.emit('payment_intent.payment_failed', tx.save(failed(intent, error)))
  addSessionEntry(tx, session, { kind: 'declined', amount: intent.amount, reason: error.code })
  return { status: 'declined', error, session }
}
