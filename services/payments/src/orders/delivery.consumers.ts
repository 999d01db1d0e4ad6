import { deliveryFailed, deliveryFinal, deliveryStarted } from '@nifty/events/minting'
import type { Log } from '@nifty/service-kit/base/logs'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import type { Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database, Line } from '../db.ts'
import { releaseLine } from './line.events.ts'
import { findLine, linesOf, moveInDelivery } from './line.store.ts'
import { isInDelivery } from './line.ts'
import { changeOrder, type LockedOrder, lockOrder, wakeOrder } from './order.store.ts'
import { captureRequest, endingOf, isUnsold } from './order.ts'
import { nextStep } from './steps/sale.ts'

type Trx = Transaction<Database>
type Delivery = { lineId: string; orderId: string }

/** Minting's events on a line. A line that is not in this database is a withdrawal, which involves no money. */
export const deliverySubscriptions = (log: Log): Subscription<Database>[] => [
  on(deliveryStarted, (trx: Trx, data) =>
    withLine(trx, data, (line) => moveInDelivery(trx, line, 'delivering', data.txHash)),
  ),
  on(deliveryFinal, (trx: Trx, data) =>
    withLine(trx, data, async (line, order) => {
      if (line.state === 'released')
        return alarmContradiction(trx, log, line, `delivered by ${data.txHash} after its release`)
      await moveInDelivery(trx, line, 'delivered', data.txHash)
      await prepareCaptureAfterLast(trx, order)
      await wakeOrder(trx, order.id)
    }),
  ),
  on(deliveryFailed, (trx: Trx, data) =>
    withLine(trx, data, async (line, order) => {
      if (line.state === 'released') return
      if (!isInDelivery(line))
        return alarmContradiction(trx, log, line, `reported as failed (${data.reason}) when ${line.state}`)
      await releaseLine({ trx, order }, line, { ...endingOf(order, data.reason), moneyWasHeld: true })
      await wakeOrder(trx, order.id)
    }),
  ),
]

/** Handles an event with its order locked. Throws, so that the event is retried, while the order is not authorised. */
async function withLine(trx: Trx, data: Delivery, handle: (line: Line, order: LockedOrder) => Promise<void>) {
  const order = await lockOrder(trx, data.orderId)
  const line = await findLine(trx, data.lineId)
  if (!line) return
  if (line.orderId !== order?.id) throw new Error(`line ${data.lineId} is not of order ${data.orderId}`)
  if (isUnsold(line)) throw new Error(`line ${line.id} is not authorised yet`)
  await handle(line, order)
}

/**
 * The step `prepare_capture` in the transaction of the last delivery. The worker calls the processor once it is
 * committed.
 */
async function prepareCaptureAfterLast(trx: Trx, order: LockedOrder) {
  const lines = await linesOf(trx, order.id)
  if (nextStep(order, lines, order.now)?.step === 'prepare_capture')
    await changeOrder(trx, order.id, captureRequest(lines, order.now))
}

const alarmContradiction = (trx: Trx, log: Log, line: Line, detail: string) =>
  raiseAlarm(trx, log, { name: 'delivery_contradiction', subject: line.id, orderId: line.orderId, detail })
