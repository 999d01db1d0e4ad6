import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { formatCents } from '../../alarms/format-cents.ts'
import { classifyError, errorCode } from '../../processor/failure.ts'
import type { Hold } from '../../processor/processor.ts'
import { changeOrder } from '../order.store.ts'
import { done, retryIn, type StepContext, type StepResult } from '../run-step.ts'
import { readHold } from './missing-payment.ts'

/** Cancels the hold of an order of which nothing was delivered. */
export async function cancelHold(context: StepContext): Promise<StepResult> {
  const { trx, order, processor, config, log } = context
  let hold: Hold
  let refusal = 'no refusal'
  try {
    hold = await processor.cancelHold(order.intentId!)
  } catch (error) {
    if (classifyError(error) === 'unknown') throw error
    refusal = errorCode(error)
    hold = await readHold(context)
  }
  if (hold.status === 'canceled') {
    await changeOrder(trx, order.id, { money: hold.cancelledBecause === 'automatic' ? 'lapsed' : 'released' })
    return done
  }
  if (hold.status === 'succeeded') {
    const detail = `${formatCents(hold.capturedCents)} captured though nothing was delivered: see \`pnpm ops accept ${order.id}\``
    await raiseAlarm(trx, log, { name: 'unexpected_capture', subject: order.id, orderId: order.id, detail })
  } else {
    const detail = `the hold is not released, although nothing was delivered: ${refusal}; it is ${hold.status}`
    await raiseAlarm(trx, log, { name: 'cancel_refused', subject: order.id, orderId: order.id, detail })
  }
  return retryIn(config.pollMs)
}
