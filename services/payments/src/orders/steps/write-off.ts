import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { moveLine } from '../line.store.ts'
import { isOwed } from '../line.ts'
import { nothingLeft, type StepResult, type Work } from '../run-step.ts'

/** The hold lapsed after a delivery: the buyer owns the token, the house bears it. */
export async function writeOff({ trx, order, lines, log }: Work): Promise<StepResult> {
  for (const line of lines.filter(isOwed)) {
    await moveLine(trx, line, 'written_off', { note: 'the hold lapsed before it could be captured' })
    const detail = `${line.priceCents} cents delivered and never taken`
    await raiseAlarm(trx, log, { name: 'written_off', subject: line.id, orderId: order.id, detail })
  }
  return nothingLeft
}
