import type { Stop as StopAnswer } from '@nifty/api/internal'
import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { releaseLine } from '../line.events.ts'
import { wishStop } from '../order.store.ts'
import { isLate, stoppable } from '../order.ts'
import { goOn, lookIn, type StepResult, type Work } from '../run-step.ts'
import { LOOKS_APART } from './watch-delivery.ts'

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
