import type Stripe from 'stripe'
import { findCustomer } from '../customers/customer.actions.ts'
import { invalid } from '../errors/api-error.ts'
import { canceled } from '../intents/intent.ts'
import type { LedgerEntry } from '../store/object.ts'
import type { Transaction } from '../store/transaction.ts'
import { type buildSession, customerDetails } from './session.ts'

/** Adds a ledger entry of a session. Amount in cents. */
export function addSessionEntry(
  tx: Transaction,
  session: Stripe.Checkout.Session,
  entry: Pick<LedgerEntry, 'kind' | 'amount' | 'reason'>,
) {
  tx.addEntry({
    ...entry,
    session: session.id,
    reference: session.client_reference_id,
    payment_intent: session.payment_intent as string | null,
    currency: session.currency!,
  })
}

export function createSession(tx: Transaction, { session: built, basket }: ReturnType<typeof buildSession>) {
  tx.save(basket)
  const session = tx.save(withCustomer(tx, built))
  addSessionEntry(tx, session, { kind: 'session_created', amount: session.amount_total! })
  return session
}

function withCustomer(tx: Transaction, session: Stripe.Checkout.Session): Stripe.Checkout.Session {
  if (session.customer === null) return session
  const id = session.customer as string
  const customer = findCustomer(tx, id)
  if (!customer) throw invalid(`No such customer: '${id}'`, { code: 'resource_missing', param: 'customer' })
  const { email, name } = customer
  return email === null ? session : { ...session, customer_details: customerDetails({ email, name: name ?? null }) }
}

/** Expires an open session. Transactions are serial, so either paying or expiring succeeds. */
export function expireSession(tx: Transaction, session: Stripe.Checkout.Session) {
  if (session.status !== 'open') {
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of "${session.status}".`,
    )
  }
  const expired = tx.save({ ...session, status: 'expired', url: null } satisfies Stripe.Checkout.Session)
  const intent = session.payment_intent ? tx.get('payment_intent', session.payment_intent as string) : undefined
  if (intent) tx.emit('payment_intent.canceled', tx.save(canceled(intent, 'expired', tx.now)))
  addSessionEntry(tx, expired, { kind: 'session_expired', amount: session.amount_total! })
  tx.emit('checkout.session.expired', expired)
  return expired
}
