import { meaningOf } from '../../processor/failure.ts'
import type { StepResult, Work } from '../run-step.ts'
import { follow } from './poll-session.ts'

/** Closes the page. The processor decides between this and a payment of the same moment. */
export async function expireSession(work: Work): Promise<StepResult> {
  const { order, processor } = work
  try {
    return await follow(work, await processor.expireSession(order.sessionId!))
  } catch (error) {
    if (meaningOf(error) !== 'refused') throw error
    return follow(work, await processor.session(order.sessionId!))
  }
}
