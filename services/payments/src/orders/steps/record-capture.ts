import { orderLineCompleted } from '@nifty/events/payments'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { splitPrice } from '../../books/book.ts'
import { openBooks } from '../../reversals/book-order.ts'
import { custodyAndGiftOf, eventLine } from '../line.events.ts'
import { moveLine, reservedLine, saveCaptured } from '../line.store.ts'
import { isAwaitingCapture } from '../line.ts'
import { changeOrder } from '../order.store.ts'
import type { StepContext } from '../run-step.ts'

/**
 * Records what was captured: completes the delivered lines and writes their books. The amount fills the delivered lines
 * first, in their sequence, then the released ones: those were charged although they did not arrive.
 */
export async function recordCapture(
  { trx, order, lines }: Pick<StepContext, 'trx' | 'order' | 'lines'>,
  capturedCents: number,
) {
  await changeOrder(trx, order.id, { money: 'captured', captureCents: capturedCents, capturedCents, gift: null })
  let left = capturedCents
  const delivered = lines.filter(isAwaitingCapture)
  for (const line of [...delivered, ...lines.filter(({ state }) => state === 'released')]) {
    const cents = Math.min(left, line.priceCents)
    left -= cents
    if (cents > 0) await saveCaptured(trx, line.id, cents)
  }
  for (const line of delivered) {
    const completed = reservedLine(await moveLine(trx, line, 'completed'))
    const shares = splitPrice({ ...completed, commissionBps: order.commissionBps })
    await publishEvent(trx, orderLineCompleted, {
      ...eventLine(completed, order.now),
      ...shares,
      txHash: completed.txHash!,
      ...custodyAndGiftOf(order),
    })
  }
  await openBooks(trx, order, 'capture')
}
