import { classifyError } from '../../processor/failure.ts'
import type { StepContext, StepResult } from '../run-step.ts'
import { pollSession, resolveSession } from './poll-session.ts'

/** Expires the session. The processor decides whether a simultaneous payment or the expiry wins. */
export async function expireSession(context: StepContext): Promise<StepResult> {
  const { order, processor } = context
  try {
    return await resolveSession(context, await processor.expireSession(order.sessionId!))
  } catch (error) {
    if (classifyError(error) !== 'refused') throw error
    return pollSession(context)
  }
}
