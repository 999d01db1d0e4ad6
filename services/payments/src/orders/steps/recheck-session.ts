import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { changeOrder } from '../order.store.ts'
import { goOn, nothingLeft, type StepResult, type Work } from '../run-step.ts'

/** A released order whose page was paid after all: impossible by the rules, so the hold goes back and a person is told. */
export async function lookAgain({ trx, order, processor, log }: Work): Promise<StepResult> {
  const { status, hold } = await processor.session(order.sessionId!)
  if (status !== 'complete' || hold?.status !== 'requires_capture') return nothingLeft
  await changeOrder(trx, order.id, { money: 'held', heldCents: hold.amount, intentId: hold.id })
  const detail = `hold of ${hold.amount} on a released order`
  await raiseAlarm(trx, log, { name: 'paid_after_release', subject: order.id, orderId: order.id, detail })
  return goOn
}
