import { sql, type Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database, Order } from '../db.ts'
import { linesOf, moveLine } from '../orders/line.store.ts'
import { lockOrder, setCancelRequest } from '../orders/order.store.ts'
import { strongerRequest } from '../orders/order.ts'
import type { StepDeps } from '../orders/run-step.ts'
import type { StoredEvent } from '../webhooks/webhook.store.ts'

type DisputeEvent = { event: StoredEvent; order: Order }

/**
 * Records a dispute or an early fraud warning and raises an alarm. Requests the cancellation of unsigned deliveries.
 * Ownership does not change, and a disputed charge is never refunded. Locks the order.
 */
export async function recordDispute(
  trx: Transaction<Database>,
  { log }: Pick<StepDeps, 'log'>,
  { event, order }: DisputeEvent,
) {
  const kind = event.type.startsWith('radar.') ? 'fraud_warning' : 'dispute'
  const { status = 'open', reason = null, amount = null } = event.facts as EventFacts
  await trx
    .insertInto('dispute')
    .values({ id: event.subject ?? event.eventId, kind, orderId: order.id, status, reason, amountCents: amount })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ status: laterStatus(status) }))
    .execute()

  const locked = (await lockOrder(trx, order.id))!
  const lines = await linesOf(trx, order.id)
  const isOpen = event.type === 'charge.dispute.created' || kind === 'fraud_warning'
  if (isOpen) {
    const detail = `${kind} (${reason ?? 'no reason given'}) while the order's lines were ${lines.map(({ state }) => state).join(', ')}`
    await raiseAlarm(trx, log, { name: 'disputed', subject: event.subject ?? event.eventId, orderId: order.id, detail })
    if (lines.some(({ state }) => state === 'authorised' || state === 'awaiting_payment'))
      await setCancelRequest(trx, order.id, strongerRequest(locked.cancelRequestedBy, 'dispute'))
  }
  if (kind === 'dispute')
    for (const line of lines)
      if (line.state === 'completed') await moveLine(trx, line, 'disputed', { note: reason ?? undefined })
}

type EventFacts = { status?: string; reason?: string; amount?: number }

const finalStatuses = ['won', 'lost', 'warning_closed', 'prevented']

/** Events arrive in any sequence: a final status is not overwritten. */
const laterStatus = (status: string) =>
  sql<string>`case when dispute.status = any(${finalStatuses}::text[]) then dispute.status else ${status} end`
