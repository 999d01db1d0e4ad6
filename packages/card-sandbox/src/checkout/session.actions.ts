import type Stripe from 'stripe'
import { invalid } from '../api/api-error.ts'
import { canceled } from '../payments/intent.ts'
import type { Fact } from '../store/object.ts'
import type { Draft } from '../store/transaction.ts'
import type { describe } from './session.ts'

/** What the ledger says of a session, with the amount in question (cents). */
export function noteSession(
  draft: Draft,
  session: Stripe.Checkout.Session,
  fact: Pick<Fact, 'kind' | 'amount' | 'reason'>,
) {
  draft.note({
    ...fact,
    session: session.id,
    reference: session.client_reference_id,
    payment_intent: session.payment_intent as string | null,
    currency: session.currency!,
  })
}

export function createSession(draft: Draft, { session, basket }: ReturnType<typeof describe>) {
  draft.put(basket)
  draft.put(session)
  noteSession(draft, session, { kind: 'session_created', amount: session.amount_total })
  return session
}

/** Ends an open session. Only one of paying and expiring can find it open. */
export function expireSession(draft: Draft, session: Stripe.Checkout.Session) {
  if (session.status !== 'open') {
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of "${session.status}".`,
    )
  }
  const expired = draft.put({ ...session, status: 'expired', url: null } satisfies Stripe.Checkout.Session)
  const intent = session.payment_intent ? draft.need('payment_intent', session.payment_intent as string) : undefined
  if (intent) draft.emit('payment_intent.canceled', draft.put(canceled(intent, 'expired', draft.now)))
  noteSession(draft, expired, { kind: 'session_expired', amount: session.amount_total! })
  draft.emit('checkout.session.expired', expired)
  return expired
}
