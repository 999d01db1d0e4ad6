import { orderLineWrittenOff } from '@nifty/events/payments'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { raiseAlarm } from '../../alarms/alarm.store.ts'
import { formatCents } from '../../alarms/format-cents.ts'
import { splitPrice } from '../../books/book.ts'
import { openBooks } from '../../reversals/book-order.ts'
import { custodyAndGiftOf, eventLine } from '../line.events.ts'
import { moveLine, reservedLine } from '../line.store.ts'
import { isAwaitingCapture } from '../line.ts'
import { changeOrder } from '../order.store.ts'
import { done, type StepContext, type StepResult } from '../run-step.ts'

/**
 * The hold lapsed after the delivery: the buyer keeps the token, seller and creator their shares, the platform the
 * loss.
 */
export async function writeOff({ trx, order, lines, log }: StepContext): Promise<StepResult> {
  for (const line of lines.filter(isAwaitingCapture)) {
    const writtenOff = reservedLine(
      await moveLine(trx, line, 'written_off', { note: 'the hold lapsed before it could be captured' }),
    )
    const { sellerCents } = splitPrice({ ...writtenOff, commissionBps: order.commissionBps })
    await publishEvent(trx, orderLineWrittenOff, {
      ...eventLine(writtenOff, order.now),
      sellerCents,
      txHash: writtenOff.txHash!,
      ...custodyAndGiftOf(order),
    })
    const detail = `${formatCents(line.priceCents)} delivered and never captured`
    await raiseAlarm(trx, log, { name: 'written_off', subject: line.id, orderId: order.id, detail })
  }
  await changeOrder(trx, order.id, { gift: null })
  await openBooks(trx, order, 'write_off')
  return done
}
