import type { Stop as StopAnswer } from '@nifty/api/internal'
import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { releaseLine } from '../line.events.ts'
import { changeOrder, wishStop } from '../order.store.ts'
import { isLate, stoppable } from '../order.ts'
import { goOn, lookIn, type StepResult, type Work } from '../step.ts'

/** Somebody should know by then that a held card still waits for its token. */
const SLOW_AFTER_MS = 15 * 60_000
/** Events tell of deliveries; looking is only for what no event tells. */
const LOOKS_APART = 10

/**
 * Asks minting to sign nothing more. Where nothing was signed the line ends here; where something was, only the chain
 * ends it, by `delivery-final` or `delivery-failed`.
 */
export async function stopDelivery(work: Work): Promise<StepResult> {
  const { trx, order, lines, minting, config, log } = work
  const late = isLate(order, order.now)
  let stoppedAny = false
  for (const line of stoppable(order, lines, order.now)) {
    const reason = late ? 'deadline' : 'cancelled'
    const { stopped } = await minting<StopAnswer>('POST', `/internal/deliveries/${line.id}/stop`, {
      orderId: order.id,
      reason,
    })
    if (!stopped) continue
    stoppedAny = true
    const note = order.stop ?? (late ? 'deadline' : 'hold lost')
    await releaseLine(trx, line, {
      reason: order.stop ? 'cancelled' : 'undeliverable',
      note,
      moneyWasHeld: true,
      at: order.now,
    })
  }
  // Whoever wished it has had the answer: what is signed now goes on.
  if (order.stop) await wishStop(trx, order.id, null)
  if (stoppedAny) return goOn
  if (late) {
    const detail = `not delivered by ${order.deliverBy?.toISOString()}; its transaction is being cancelled`
    await raiseAlarm(trx, log, { name: 'delivery_late', subject: order.id, orderId: order.id, detail })
  }
  return lookIn(config.pollMs * LOOKS_APART)
}

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
