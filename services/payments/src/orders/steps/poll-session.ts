import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { formatCents } from '../../alarms/format-cents.ts'
import type { Hold, Session } from '../../processor/processor.ts'
import { publishPaymentFailed, releaseLines } from '../line.events.ts'
import { awaitPayment, done, retryIn, type StepContext, type StepResult } from '../run-step.ts'
import { adoptPayment, OPERATOR_RETRY_MS } from './adopt-payment.ts'
import { authorise } from './authorise.ts'
import { endWithoutSession, readSession } from './missing-payment.ts'

/** Reads the session at the processor; only its status ends the wait for a payment, never our clock. */
export async function pollSession(context: StepContext): Promise<StepResult> {
  const session = await readSession(context)
  return session ? resolveSession(context, session) : endWithoutSession(context)
}

/**
 * Applies a session's status to its order: still open, expired or paid. What this store captured before it had the
 * payment is of a time after the backup that it was restored from.
 */
export async function resolveSession(context: StepContext, session: Session): Promise<StepResult> {
  const { order, config } = context
  const declined = session.hold?.declined ?? order.declined
  if (session.status === 'open') return { ...awaitPayment(order, config), changes: { declined } }
  if (session.status === 'expired') {
    await releaseLines(
      context,
      order.cancelRequestedBy ? { reason: 'cancelled', note: order.cancelRequestedBy } : { reason: 'expired' },
    )
    await publishPaymentFailed(context, declined)
    return { ...done, changes: { declined } }
  }
  const { hold } = session
  if (hold?.status === 'requires_capture') return authorise(context, session, hold)
  if (hold?.status === 'succeeded' && hold.captureKey === null)
    // An offer or a bid is not delivered for it: it is held, and an operator has to cancel its order.
    return order.orderKind === 'purchase' ? awaitAcceptance(context, hold) : authorise(context, session, hold)
  return adoptPayment(context, session)
}

export async function awaitAcceptance({ trx, order, log }: StepContext, { capturedCents }: Hold): Promise<StepResult> {
  const captured = `${formatCents(capturedCents)} captured by hand before the delivery`
  const detail =
    order.orderKind === 'purchase'
      ? `${captured}: see \`pnpm ops accept ${order.id}\``
      : `${captured}, and the ${order.orderKind} is not delivered for it: see \`pnpm ops cancel-order ${order.id}\``
  await raiseAlarm(trx, log, { name: 'unexpected_capture', subject: order.id, orderId: order.id, detail })
  return retryIn(OPERATOR_RETRY_MS)
}
