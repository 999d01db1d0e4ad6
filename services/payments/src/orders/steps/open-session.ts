import type Stripe from 'stripe'
import { customerInsteadOf } from '../../card-customers/card-customer.actions.ts'
import { classifyError, isCustomerMissing, isKeyExpired } from '../../processor/failure.ts'
import type { Session } from '../../processor/processor.ts'
import { releaseLines } from '../line.events.ts'
import { moveLine } from '../line.store.ts'
import { paymentsUnavailable } from '../order.errors.ts'
import { awaitPayment, continueNow, done, type StepContext, type StepResult } from '../run-step.ts'
import { readBuyer } from './reserve.ts'
import { buyerOf } from './session-request.ts'

/**
 * Creates the Checkout Session with the stored parameters, or finds it if the response to an earlier call was lost.
 * Then the buyer's e-mail address is erased from the parameters.
 */
export async function openSession(context: StepContext): Promise<StepResult> {
  const { trx, order, lines, config } = context
  const request = order.sessionRequest as Stripe.Checkout.SessionCreateParams
  const session = await createOrFind(context)
  if (session === 'customer missing') return replaceCustomer(context, request)
  const { customer_email: _erased, ...kept } = request
  const sessionRequest = JSON.stringify(kept)
  if (!session) {
    await releaseLines(context, {
      reason: order.cancelRequestedBy ? 'cancelled' : 'expired',
      note: 'no session was created',
    })
    return { ...done, changes: { sessionRequest }, refusal: paymentsUnavailable() }
  }
  for (const line of lines) await moveLine(trx, line, 'awaiting_payment')
  const changes = { sessionRequest, sessionId: session.id, sessionUrl: session.url }
  if (order.cancelRequestedBy) return { ...continueNow, changes }
  return { ...awaitPayment(order, config), changes, url: session.url ?? undefined }
}

const keyOf = ({ id, sessionNumber }: StepContext['order']) =>
  sessionNumber === 1 ? `cs:${id}` : `cs:${id}:${sessionNumber}`

/** Returns null when the session certainly does not exist. Throws when its existence is unknown. */
async function createOrFind({ order, processor }: StepContext): Promise<Session | 'customer missing' | null> {
  const requestedAt = order.sessionRequestedAt!
  if (isKeyExpired(requestedAt, order.now)) return processor.findSession(order.id, requestedAt)
  try {
    return await processor.createSession(order.sessionRequest as Stripe.Checkout.SessionCreateParams, keyOf(order))
  } catch (error) {
    if (isCustomerMissing(error) && !order.cancelRequestedBy) return 'customer missing'
    if (classifyError(error) === 'unknown') throw error
    return processor.findSession(order.id, requestedAt)
  }
}

/** A stored Customer, and the one that replaced it; then the page remembers no cards. */
const CUSTOMERS_AT_MOST = 2

/** Stores other parameters and another key, when the processor no longer has the Customer. No session was created. */
async function replaceCustomer(
  context: StepContext,
  { customer, saved_payment_method_options: _, ...request }: Stripe.Checkout.SessionCreateParams,
): Promise<StepResult> {
  const { order } = context
  const { email } = await readBuyer(context)
  const account = { userId: order.buyerId, email, missing: customer! }
  const customerId = order.sessionNumber < CUSTOMERS_AT_MOST ? await customerInsteadOf(context, account) : null
  const changes = {
    sessionRequest: JSON.stringify({ ...request, ...buyerOf({ customerId, email }) }),
    sessionRequestedAt: order.now,
    sessionNumber: order.sessionNumber + 1,
  }
  return { ...continueNow, changes }
}
