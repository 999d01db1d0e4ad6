import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { requireSameAccount } from '../../processor/account.actions.ts'
import { orMissing } from '../../processor/failure.ts'
import type { Hold, Session } from '../../processor/processor.ts'
import { releaseLines } from '../line.events.ts'
import { done, retryIn, type StepContext, type StepResult } from '../run-step.ts'

/** The session of an order; null, with an alarm, when the processor does not have it. */
export async function readSession(context: StepContext): Promise<Session | null> {
  const id = context.order.sessionId!
  const session = await orMissing(context.processor.session(id))
  if (!session) await noticeMissing(context, id)
  return session
}

/** The hold of an order. One that the processor does not have has ended, with an alarm: it can never be captured. */
export async function readHold(context: StepContext): Promise<Hold> {
  const { order, processor } = context
  const id = order.intentId!
  const hold = await orMissing(processor.hold(id))
  if (hold) return hold
  await noticeMissing(context, id)
  return {
    id,
    status: 'canceled',
    amount: order.heldCents,
    currency: 'eur',
    capturedCents: 0,
    captureKey: null,
    cancelledBecause: 'the processor does not have it',
    paidAtMs: null,
    captureBeforeMs: null,
    isReversed: false,
    card: null,
    declined: null,
  }
}

/** Throws while the API key is not of the account that created the object: then its absence means nothing. */
async function noticeMissing({ trx, order, processor, log }: StepContext, id: string) {
  await requireSameAccount(trx, processor)
  const detail = `the processor does not have ${id}; \`pnpm ops cancel-order ${order.id}\` releases an unpaid order at once`
  await raiseAlarm(trx, log, { name: 'session_missing', subject: order.id, orderId: order.id, detail })
}

/** A session that the processor does not have cannot be paid: its order ends on request, or when its time is over. */
export async function endWithoutSession(context: StepContext): Promise<StepResult> {
  const { order } = context
  const leftMs = order.expiresAt.getTime() - order.now.getTime()
  if (!order.cancelRequestedBy && leftMs > 0) return retryIn(leftMs)
  const reason = order.cancelRequestedBy ? 'cancelled' : 'expired'
  await releaseLines(context, { reason, note: 'the processor does not have the session' })
  return done
}
