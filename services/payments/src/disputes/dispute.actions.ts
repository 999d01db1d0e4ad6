import { sql, type Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database, Order } from '../db.ts'
import { linesOf, moveLine } from '../orders/line.store.ts'
import { lockOrder, wishStop } from '../orders/order.store.ts'
import { strongerStop } from '../orders/order.ts'
import type { Advancing } from '../orders/run-step.ts'
import type { StoredEvent } from '../webhooks/webhook.store.ts'

type Told = { event: StoredEvent; order: Order }

/**
 * A dispute or an early fraud warning. Before the delivery is signed it stops it; afterwards it is recorded and a person
 * is told. Ownership does not change, and nothing is refunded on a disputed charge.
 */
export async function noteDispute(trx: Transaction<Database>, { log }: Pick<Advancing, 'log'>, { event, order }: Told) {
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
    const detail = `${kind} (${reason ?? 'no reason given'}) when the order's lines were ${lines.map(({ state }) => state).join(', ')}`
    await raiseAlarm(trx, log, { name: 'disputed', subject: event.subject ?? event.eventId, orderId: order.id, detail })
    if (lines.some(({ state }) => state === 'authorised' || state === 'awaiting_payment'))
      await wishStop(trx, order.id, strongerStop(locked.stop, 'dispute'))
  }
  if (kind === 'dispute')
    for (const line of lines)
      if (line.state === 'completed') await moveLine(trx, line, 'disputed', { note: reason ?? undefined })
}

type EventFacts = { status?: string; reason?: string; amount?: number }

const decided = ['won', 'lost', 'warning_closed', 'prevented']

/** Events come in any order: what is decided stays decided. */
const laterStatus = (status: string) =>
  sql<string>`case when dispute.status = any(${decided}::text[]) then dispute.status else ${status} end`
