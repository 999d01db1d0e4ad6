import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { changeOrder } from '../order.store.ts'
import { continueNow, done, type StepContext, type StepResult } from '../run-step.ts'

/** A released order must not have been paid. If it was, stores the hold for `cancel_hold` and raises an alarm. */
export async function recheckSession({ trx, order, processor, log }: StepContext): Promise<StepResult> {
  const hold = order.sessionId ? (await processor.session(order.sessionId)).hold : await processor.hold(order.intentId!)
  if (hold?.status !== 'requires_capture') return done
  await changeOrder(trx, order.id, { money: 'held', heldCents: hold.amount, intentId: hold.id })
  const detail = `hold of ${hold.amount} on a released order`
  await raiseAlarm(trx, log, { name: 'paid_after_release', subject: order.id, orderId: order.id, detail })
  return continueNow
}
