import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { setCancelRequest } from '../order.store.ts'
import { continueNow, retryIn, type StepContext, type StepResult } from '../run-step.ts'
import { isHoldLost } from './check-hold.ts'

/** After this the alarm `delivery_slow` is raised. */
const SLOW_AFTER_MS = 15 * 60_000
/** Deliveries are event-driven; this poll is a safety net and runs this many times less often than others. */
export const POLL_FACTOR = 10

/** During a delivery: checks that the hold still exists and that the delivery is not slow. */
export async function watchDelivery(context: StepContext): Promise<StepResult> {
  const { trx, order, log } = context
  const waitedMs = order.now.getTime() - order.authorisedAt!.getTime()
  if (waitedMs > SLOW_AFTER_MS) {
    const detail = `authorised at ${order.authorisedAt!.toISOString()} and not delivered`
    await raiseAlarm(trx, log, { name: 'delivery_slow', subject: order.id, orderId: order.id, detail })
  }
  if (await isHoldLost(context)) return continueNow
  // It cancels unpaid orders only.
  if (order.cancelRequestedBy) await setCancelRequest(trx, order.id, null)
  return watchAgain(context, order.deliverBy!)
}

/** The next check of a delivery, at its deadline at the latest. */
export function watchAgain({ order, config }: StepContext, deliverBy: Date): StepResult {
  const untilDeadlineMs = deliverBy.getTime() - order.now.getTime()
  return retryIn(Math.max(0, Math.min(config.pollMs * POLL_FACTOR, untilDeadlineMs)))
}
