import { raiseAlarm } from '../../alarms/alarm.store.ts'
import type { Session } from '../../processor/processor.ts'
import { releaseLines } from '../line.events.ts'
import { lookIn, nothingLeft, type StepResult, type Work } from '../run-step.ts'
import { authorise } from './authorise.ts'

/** Reads what became of the page. Only the processor's word ends the wait. */
export async function lookAtSession(work: Work): Promise<StepResult> {
  return follow(work, await work.processor.session(work.order.sessionId!))
}

export async function follow(work: Work, session: Session): Promise<StepResult> {
  const { order, config } = work
  if (session.status === 'open') return lookIn(config.pollMs)
  if (session.status === 'expired') {
    await releaseLines(work, order.stop ? { reason: 'cancelled', note: order.stop } : { reason: 'expired' })
    return nothingLeft
  }
  const { hold } = session
  if (hold?.status === 'requires_capture') return authorise(work, session, hold)
  if (hold?.status === 'canceled') {
    await releaseLines(work, { reason: 'expired', note: hold.cancelledBecause ?? undefined })
    return nothingLeft
  }
  await raiseAlarm(work.trx, work.log, {
    name: 'captured_unasked',
    subject: session.id,
    orderId: order.id,
    detail: `session complete, intent ${hold?.status ?? 'missing'}`,
  })
  return lookIn(config.pollMs)
}
