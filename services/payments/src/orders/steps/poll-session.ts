import type { Session } from '../../processor/processor.ts'
import { releaseLines } from '../line.events.ts'
import { done, pollIn, type StepContext, type StepResult } from '../run-step.ts'
import { adoptPayment } from './adopt-payment.ts'
import { authorise } from './authorise.ts'

/** Reads the session at the processor; only its status ends the wait for a payment, never our clock. */
export async function pollSession(context: StepContext): Promise<StepResult> {
  return resolveSession(context, await context.processor.session(context.order.sessionId!))
}

/** Applies a session's status to its order: still open, expired, paid, or an alarm for anything else. */
export async function resolveSession(context: StepContext, session: Session): Promise<StepResult> {
  const { order, config } = context
  if (session.status === 'open') return pollIn(config.pollMs)
  if (session.status === 'expired') {
    await releaseLines(
      context,
      order.cancelRequestedBy ? { reason: 'cancelled', note: order.cancelRequestedBy } : { reason: 'expired' },
    )
    return done
  }
  const { hold } = session
  if (hold?.status === 'requires_capture') return authorise(context, session, hold)
  return adoptPayment(context, session)
}
