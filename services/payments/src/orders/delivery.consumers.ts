import { deliveryFailed, deliveryFinal, deliveryStarted } from '@nifty/events/minting'
import type { Log } from '@nifty/service-kit/logs'
import { on, type Subscription } from '@nifty/service-kit/messaging/inbox'
import type { Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database, Line } from '../db.ts'
import { releaseLine } from './line.events.ts'
import { findLine, moveLine } from './line.store.ts'
import { isUnderWay, isUnpaid, wayTo } from './line.ts'
import { type LockedOrder, lockOrder, wakeOrder } from './order.store.ts'

type Trx = Transaction<Database>
type Told = { lineId: string; orderId: string; txHash?: string }

/** What minting says of a line. A line that payments does not know is a withdrawal: no money is in it. */
export const deliverySubscriptions = (log: Log): Subscription<Database>[] => [
  on(deliveryStarted, (trx: Trx, told) => hear(trx, told, (line) => advanceTo(trx, line, 'delivering', told.txHash))),
  on(deliveryFinal, (trx: Trx, told) =>
    hear(trx, told, async (line, order) => {
      if (line.state === 'released') return contradict(trx, log, line, `delivered by ${told.txHash} after its release`)
      await advanceTo(trx, line, 'delivered', told.txHash)
      await wakeOrder(trx, order.id)
    }),
  ),
  on(deliveryFailed, (trx: Trx, told) =>
    hear(trx, told, async (line, order) => {
      if (line.state === 'released') return
      if (!isUnderWay(line))
        return contradict(trx, log, line, `said to have failed (${told.reason}) when ${line.state}`)
      const release = { reason: 'undeliverable', note: told.reason, moneyWasHeld: true, at: order.now } as const
      await releaseLine(trx, line, release)
      await wakeOrder(trx, order.id)
    }),
  ),
]

async function hear(trx: Trx, told: Told, answer: (line: Line, order: LockedOrder) => Promise<void>) {
  if (!(await findLine(trx, told.lineId))) return
  const order = await lockOrder(trx, told.orderId)
  const line = await findLine(trx, told.lineId)
  if (!order || !line || line.orderId !== order.id)
    throw new Error(`line ${told.lineId} is not of order ${told.orderId}`)
  // Minting was told by an event of ours, so that this order is about to be authorised: later.
  if (isUnpaid(line)) throw new Error(`line ${line.id} is not authorised yet`)
  await answer(line, order)
}

/** Steps that were not heard of are taken on the way; what is past it already stays. */
async function advanceTo(trx: Trx, line: Line, goal: 'delivering' | 'delivered', txHash: string) {
  if (!isUnderWay(line)) return
  let current = line
  for (const state of wayTo(line.state, goal) ?? []) current = await moveLine(trx, current, state, { txHash })
}

const contradict = (trx: Trx, log: Log, line: Line, detail: string) =>
  raiseAlarm(trx, log, { name: 'delivery_contradiction', subject: line.id, orderId: line.orderId, detail })
