import type Stripe from 'stripe'
import { isKeyTooOld, meaningOf } from '../../processor/failure.ts'
import type { Session } from '../../processor/processor.ts'
import { releaseLines } from '../line.events.ts'
import { moveLine } from '../line.store.ts'
import { paymentsUnavailable } from '../order.errors.ts'
import { changeOrder } from '../order.store.ts'
import { goOn, lookIn, nothingLeft, type StepResult, type Work } from '../run-step.ts'

/** Opens the processor's page with the stored parameters, or finds the one that a lost answer left behind. */
export async function openSession(work: Work): Promise<StepResult> {
  const { trx, order, lines, config } = work
  const session = await createOrFind(work)
  if (!session) {
    await releaseLines(work, { reason: order.stop ? 'cancelled' : 'expired', note: 'no payment page was opened' })
    return { ...nothingLeft, refusal: paymentsUnavailable() }
  }
  await changeOrder(trx, order.id, { sessionId: session.id, sessionUrl: session.url })
  for (const line of lines) await moveLine(trx, line, 'awaiting_payment')
  return order.stop ? goOn : lookIn(config.pollMs)
}

/** Null: the processor is certain that there is none. */
async function createOrFind({ order, processor }: Work): Promise<Session | null> {
  const askedAt = order.sessionAskedAt!
  if (isKeyTooOld(askedAt, order.now)) return processor.findSession(order.id, askedAt)
  try {
    return await processor.createSession(order.sessionRequest as Stripe.Checkout.SessionCreateParams, `cs:${order.id}`)
  } catch (error) {
    const meaning = meaningOf(error)
    if (meaning === 'unknown') throw error
    return processor.findSession(order.id, askedAt)
  }
}
