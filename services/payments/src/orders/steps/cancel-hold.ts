import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { meaningOf } from '../../processor/failure.ts'
import type { Hold } from '../../processor/processor.ts'
import { changeOrder } from '../order.store.ts'
import { lookIn, nothingLeft, type StepResult, type Work } from '../run-step.ts'

/** Nothing was delivered: the hold goes back. */
export async function cancelHold({ trx, order, processor, config, log }: Work): Promise<StepResult> {
  let hold: Hold
  try {
    hold = await processor.cancelHold(order.intentId!)
  } catch (error) {
    if (meaningOf(error) === 'unknown') throw error
    hold = await processor.hold(order.intentId!)
  }
  if (hold.status === 'canceled') {
    await changeOrder(trx, order.id, { money: hold.cancelledBecause === 'automatic' ? 'lapsed' : 'released' })
    return nothingLeft
  }
  if (hold.status === 'succeeded') {
    const detail = `${hold.capturedCents} cents taken though nothing was delivered: refund them by hand`
    await raiseAlarm(trx, log, { name: 'captured_unasked', subject: order.id, orderId: order.id, detail })
  }
  return lookIn(config.pollMs)
}
