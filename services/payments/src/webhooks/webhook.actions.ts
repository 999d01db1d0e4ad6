import { inSpan } from '@nifty/service-kit/traces/trace'
import type { Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database } from '../db.ts'
import { noteDispute } from '../disputes/dispute.actions.ts'
import { wakeOrder } from '../orders/order.store.ts'
import type { Advancing } from '../orders/run-step.ts'
import type { Processor } from '../processor/processor.ts'
import {
  lastEventAt,
  lockWaitingEvent,
  markHandled,
  orderOfEvent,
  postponeEvent,
  type StoredEvent,
  storeEvents,
} from './webhook.store.ts'
import { noteOf } from './webhook.ts'

/** Events of objects that a store of ours makes; what else an account of the processor tells is not ours to judge. */
const isAboutPayment = ({ sessionId, intentId }: StoredEvent) => sessionId !== null || intentId !== null

/** Deals with the event that waits longest; false when none does. An event only says where to look. */
export async function handleWaitingEvent(deps: Advancing): Promise<boolean> {
  let eventId: string | undefined
  try {
    return await deps.desk.transaction().execute(async (trx) => {
      const event = await lockWaitingEvent(trx)
      if (!event) return false
      eventId = event.eventId
      await markHandled(trx, eventId, await handle(trx, event, deps))
      return true
    })
  } catch (error) {
    if (!eventId) throw error
    deps.log.warn({ err: error, eventId }, 'event could not be dealt with, trying again')
    await postponeEvent(deps.desk, eventId)
    return true
  }
}

async function handle(trx: Transaction<Database>, event: StoredEvent, deps: Advancing): Promise<string> {
  if (!isAboutPayment(event)) return 'not about a payment'
  const order = await orderOfEvent(trx, event)
  if (!order) {
    const subject = event.sessionId ?? event.intentId!
    const detail = `${event.type} tells of a payment that this store did not start`
    await raiseAlarm(trx, deps.log, { name: 'unknown_session', subject, orderId: null, detail })
    return 'unknown'
  }
  const facts = { 'event.id': event.eventId, 'order.id': order.id }
  const work = { name: `hear ${event.type}`, continues: order.traceparent, links: [event.traceparent], facts }
  await inSpan(work, async () => {
    if (/^(charge\.dispute|radar\.early_fraud_warning)\./.test(event.type))
      await noteDispute(trx, deps, { event, order })
    await wakeOrder(trx, order.id)
  })
  return 'order woken'
}

/** How far back an event may still be new to us: the processor tries for three days. */
const LOOK_BACK_MS = 3 * 86_400_000
const AT_MOST = 5_000

/** Fetches events that were never delivered, at the start and now and then. Answers how many were new. */
export async function backfillEvents({
  desk,
  processor,
  log,
}: Pick<Advancing, 'desk' | 'log'> & { processor: Processor }) {
  const last = await lastEventAt(desk)
  const from = new Date((last?.getTime() ?? Date.now()) - LOOK_BACK_MS)
  let found = 0
  let seen = 0
  for await (const event of processor.eventsSince(from)) {
    found += await storeEvents(desk, [noteOf(event)], { fetched: true })
    if (++seen >= AT_MOST) break
  }
  if (found > 0) log.info({ found }, 'fetched events that no webhook brought')
  return found
}
