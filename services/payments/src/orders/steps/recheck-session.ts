import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { formatCents } from '../../alarms/format-cents.ts'
import { orMissing } from '../../processor/failure.ts'
import { changeOrder } from '../order.store.ts'
import { continueNow, done, type StepContext, type StepResult } from '../run-step.ts'

/** A released order must not have been paid. If it was, raises an alarm, and stores the hold for `cancel_hold`. */
export async function recheckSession({ trx, order, processor, log }: StepContext): Promise<StepResult> {
  const hold = order.sessionId
    ? (await orMissing(processor.session(order.sessionId)))?.hold
    : await orMissing(processor.hold(order.intentId!))
  if (hold?.status === 'succeeded' && order.money === 'none') {
    const detail = `${formatCents(hold.capturedCents)} captured on a released order: see \`pnpm ops accept ${order.id}\``
    await raiseAlarm(trx, log, { name: 'unexpected_capture', subject: order.id, orderId: order.id, detail })
  }
  if (hold?.status !== 'requires_capture') return done
  await changeOrder(trx, order.id, { money: 'held', heldCents: hold.amount, intentId: hold.id })
  const detail = `hold of ${hold.amount} on a released order`
  await raiseAlarm(trx, log, { name: 'paid_after_release', subject: order.id, orderId: order.id, detail })
  return continueNow
}
