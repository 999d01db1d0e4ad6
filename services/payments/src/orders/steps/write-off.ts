import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { openBooks } from '../../reversals/book-order.ts'
import { moveLine } from '../line.store.ts'
import { isAwaitingCapture } from '../line.ts'
import { done, type StepContext, type StepResult } from '../run-step.ts'

/** The hold lapsed after the delivery: the buyer keeps the token, seller and creator their shares, the platform the loss. */
export async function writeOff({ trx, order, lines, log }: StepContext): Promise<StepResult> {
  for (const line of lines.filter(isAwaitingCapture)) {
    await moveLine(trx, line, 'written_off', { note: 'the hold lapsed before it could be captured' })
    const detail = `${line.priceCents} cents delivered and never captured`
    await raiseAlarm(trx, log, { name: 'written_off', subject: line.id, orderId: order.id, detail })
  }
  await openBooks(trx, order, 'write_off')
  return done
}
