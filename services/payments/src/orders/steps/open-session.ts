import type Stripe from 'stripe'
import { classifyError, isKeyExpired } from '../../processor/failure.ts'
import type { Session } from '../../processor/processor.ts'
import { releaseLines } from '../line.events.ts'
import { moveLine } from '../line.store.ts'
import { paymentsUnavailable } from '../order.errors.ts'
import { awaitPayment, continueNow, done, type StepContext, type StepResult } from '../run-step.ts'

/**
 * Creates the Checkout Session with the stored parameters, or finds it if the response to an earlier call was lost.
 * Then the buyer's e-mail address is erased from the parameters.
 */
export async function openSession(context: StepContext): Promise<StepResult> {
  const { trx, order, lines, config } = context
  const session = await createOrFind(context)
  const { customer_email: _erased, ...kept } = order.sessionRequest as Stripe.Checkout.SessionCreateParams
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

/** Returns null when the session certainly does not exist. Throws when its existence is unknown. */
async function createOrFind({ order, processor }: StepContext): Promise<Session | null> {
  const requestedAt = order.sessionRequestedAt!
  if (isKeyExpired(requestedAt, order.now)) return processor.findSession(order.id, requestedAt)
  try {
    return await processor.createSession(order.sessionRequest as Stripe.Checkout.SessionCreateParams, `cs:${order.id}`)
  } catch (error) {
    if (classifyError(error) === 'unknown') throw error
    return processor.findSession(order.id, requestedAt)
  }
}
