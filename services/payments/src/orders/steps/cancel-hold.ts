import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { classifyError } from '../../processor/failure.ts'
import type { Hold } from '../../processor/processor.ts'
import { changeOrder } from '../order.store.ts'
import { done, retryIn, type StepContext, type StepResult } from '../run-step.ts'

/** Cancels the hold of an order of which nothing was delivered. */
export async function cancelHold({ trx, order, processor, config, log }: StepContext): Promise<StepResult> {
  let hold: Hold
  try {
    hold = await processor.cancelHold(order.intentId!)
  } catch (error) {
    if (classifyError(error) === 'unknown') throw error
    hold = await processor.hold(order.intentId!)
  }
  if (hold.status === 'canceled') {
    await changeOrder(trx, order.id, { money: hold.cancelledBecause === 'automatic' ? 'lapsed' : 'released' })
    return done
  }
  if (hold.status === 'succeeded') {
    const detail = `${hold.capturedCents} cents captured though nothing was delivered: see \`pnpm ops accept ${order.id}\``
    await raiseAlarm(trx, log, { name: 'unexpected_capture', subject: order.id, orderId: order.id, detail })
  }
  return retryIn(config.pollMs)
}
