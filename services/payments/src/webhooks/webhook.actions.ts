import { inSpan } from '@nifty/service-kit/base/trace'
import type { Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database } from '../db.ts'
import { requestCancellationIfUnpaid } from '../orders/cancellation.actions.ts'
import { storeFoundPayment } from '../orders/found-payment.actions.ts'
import { wakeOrder } from '../orders/order.store.ts'
import { rebuildMentionedOrder } from '../orders/rebuild.actions.ts'
import type { StepDeps } from '../orders/run-step.ts'
import type { Processor } from '../processor/processor.ts'
import { syncReversals } from '../reversals/reversal.actions.ts'
import { isReversalEvent } from '../reversals/reversal.ts'
import {
  countDeclines,
  lastEventAt,
  lockWaitingEvent,
  markHandled,
  NOT_ABOUT_A_PAYMENT,
  OF_ANOTHER_SHOP,
  orderOfEvent,
  postponeEvent,
  received,
  type StoredEvent,
  storeEvents,
} from './webhook.store.ts'
import { DECLINED, handlingOf, isNews, type ReceivedEvent, summarizeEvent } from './webhook.ts'

/** Other events of the processor's account do not concern orders. */
/** Others are stored as handled, but by a process of a former release. */
const isAboutPayment = ({ sessionId, intentId }: StoredEvent) => sessionId !== null || intentId !== null

/**
 * Handles the oldest waiting event; returns false when none waits. An event only wakes its order if it may be news to
 * it, or has its refunds and disputes read: the state of a payment always comes from the processor.
 */
export async function handleWaitingEvent(deps: StepDeps): Promise<boolean> {
  let eventId: string | undefined
  try {
    return await deps.longPool.transaction().execute(async (trx) => {
      const event = await lockWaitingEvent(trx)
      if (!event) return false
      eventId = event.eventId
      await markHandled(trx, eventId, await handle(trx, event, deps))
      return true
    })
  } catch (error) {
    if (!eventId) throw error
    deps.log.warn({ err: error, eventId }, 'webhook inbox: event failed, retrying later')
    await postponeEvent(deps.longPool, eventId)
    return true
  }
}

async function handle(trx: Transaction<Database>, event: StoredEvent, deps: StepDeps): Promise<string> {
  if (!isAboutPayment(event)) return NOT_ABOUT_A_PAYMENT
  const known = await orderOfEvent(trx, event)
  const { isOurs, order } = known ? { isOurs: true, order: known } : await rebuildMentionedOrder(trx, deps, event)
  if (!isOurs) return OF_ANOTHER_SHOP
  if (!order) {
    const subject = event.sessionId ?? event.intentId!
    const detail = `${event.type} is about a payment of this store (${deps.storeId}), which has no order of it`
    await raiseAlarm(trx, deps.log, { name: 'unknown_session', subject, orderId: null, detail })
    return 'unknown'
  }
  return inSpan(handlingOf(event, order), async () => {
    if (isReversalEvent(event.type)) await syncReversals(trx, deps, order.id, event.intentId)
    if (event.type === DECLINED) await limitDeclines(trx, order.id)
    const isFound = !order.sessionId && !order.intentId
    if (isFound) await storeFoundPayment(trx, order.id, event)
    if (!isFound && !isNews(event.type, order)) return 'no news'
    await wakeOrder(trx, order.id)
    return 'order woken'
  })
}

/** Somebody who tries stolen cards needs many; a buyer has a few. */
const DECLINES_AT_MOST = 5

async function limitDeclines(trx: Transaction<Database>, orderId: string) {
  if ((await countDeclines(trx, orderId)) < DECLINES_AT_MOST) return
  await requestCancellationIfUnpaid(trx, orderId, 'declines')
}

/** The processor retries a webhook for three days. */
const RETRY_WINDOW_MS = 3 * 86_400_000
const AT_MOST = 5_000
/** Events of one statement: most of them are stored already. */
const PAGE = 100

/** Fetches events whose webhook never arrived. Returns the number of new ones. */
export async function backfillEvents({
  longPool,
  processor,
  log,
}: Pick<StepDeps, 'longPool' | 'log'> & { processor: Processor }) {
  const last = await lastEventAt(longPool)
  const from = new Date((last?.getTime() ?? Date.now()) - RETRY_WINDOW_MS)
  let found = 0
  let seen = 0
  let page: ReceivedEvent[] = []
  const storePage = async () => {
    if (page.length > 0) found += await storeEvents(longPool, page, { fetched: true })
    page = []
  }
  for await (const event of processor.eventsSince(from)) {
    page.push(received(summarizeEvent(event)))
    if (page.length === PAGE) await storePage()
    if (++seen >= AT_MOST) break
  }
  await storePage()
  if (found > 0) log.info({ found }, 'event back-fill: stored events whose webhook never arrived')
  return found
}
