import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { changeOrder } from '../order.store.ts'
import type { StepContext } from '../run-step.ts'
import { readHold } from './missing-payment.ts'

/** Reads the hold of an order in delivery. Returns true, and raises an alarm, when it ended before the delivery. */
export async function isHoldLost(context: StepContext): Promise<boolean> {
  const { trx, order, log } = context
  if (order.money !== 'held') return false
  const hold = await readHold(context)
  if (hold.status !== 'canceled') return false
  await changeOrder(trx, order.id, { money: 'lapsed' })
  const detail = `the hold was cancelled before the delivery: ${hold.cancelledBecause ?? 'no reason given'}`
  await raiseAlarm(trx, log, { name: 'hold_lost', subject: order.id, orderId: order.id, detail })
  return true
}
