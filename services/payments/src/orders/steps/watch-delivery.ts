import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { changeOrder, wishStop } from '../order.store.ts'
import { goOn, lookIn, type StepResult, type Work } from '../run-step.ts'

/** Somebody should know by then that a held card still waits for its token. */
const SLOW_AFTER_MS = 15 * 60_000
/** Events tell of deliveries; looking is only for what no event tells. */
export const LOOKS_APART = 10

/** While minting works: is the money still held, and is it taking too long? */
export async function watchDelivery({ trx, order, processor, config, log }: Work): Promise<StepResult> {
  const waitedMs = order.now.getTime() - order.authorisedAt!.getTime()
  if (waitedMs > SLOW_AFTER_MS) {
    const detail = `authorised ${Math.round(waitedMs / 60_000)} minutes ago and not delivered`
    await raiseAlarm(trx, log, { name: 'delivery_slow', subject: order.id, orderId: order.id, detail })
  }
  if (order.money === 'held') {
    const hold = await processor.hold(order.intentId!)
    if (hold.status === 'canceled') {
      await changeOrder(trx, order.id, { money: 'lapsed' })
      const detail = `the hold is gone before the delivery: ${hold.cancelledBecause ?? 'no reason given'}`
      await raiseAlarm(trx, log, { name: 'hold_lost', subject: order.id, orderId: order.id, detail })
      return goOn
    }
  }
  // A wish that came too late: what is signed goes on.
  if (order.stop) await wishStop(trx, order.id, null)
  const untilDeadlineMs = order.deliverBy!.getTime() - order.now.getTime()
  return lookIn(Math.max(0, Math.min(config.pollMs * LOOKS_APART, untilDeadlineMs)))
}
