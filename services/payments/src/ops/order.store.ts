import type { OrderHistory } from '@nifty/api/payments/ops'
import { toEuros } from '@nifty/api/shapes'
import { anyOf } from '@nifty/service-kit/database/database'
import { listOperatorActions } from '@nifty/service-kit/database/operator-audit'
import { type Kysely, sql } from 'kysely'
import { viewAcknowledgement } from '../alarms/acknowledgement.ts'
import type { AlarmRow } from '../alarms/alarm.store.ts'
import { isDisputeOpen, isUndecided } from '../books/open-reversal.ts'
import type { Database, Order, Reversal } from '../db.ts'
import { openStates } from '../orders/line.ts'
import { viewOrder } from '../orders/order.view.ts'
import { findOrderDetails } from '../orders/order-details.store.ts'
import { reversalsOf } from '../reversals/reversal.store.ts'
import { notesOf, viewNote } from './order-note.store.ts'

const AT_MOST = 500

/**
 * Orders that are not final, oldest first, at most 500. Without offers and bids that are not decided yet, unless a step
 * failed.
 */
export function openOrders(db: Kysely<Database>): Promise<Order[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('line')
        .select('orderId')
        .where('state', '=', anyOf(openStates))
        .union(eb.selectFrom('orders').select('id as orderId').where('money', '=', 'held')),
    )
    .where(
      sql<boolean>`not (order_kind <> 'purchase' and money = 'held' and authorised_at is null and failures = 0
        and exists (select from line where order_id = orders.id and state = 'held')
        and coalesce(decide_by > now(), true))`,
    )
    .orderBy('createdAt')
    .limit(AT_MOST)
    .execute()
}

export const recentAlarms = (db: Kysely<Database>) =>
  db
    .selectFrom('alarm')
    .selectAll()
    .where('lastAt', '>', sql<Date>`now() - interval '30 days'`)
    .orderBy('lastAt', 'desc')
    .limit(AT_MOST)
    .execute()

/** Refunds and ended disputes that took money and have no bearer yet, oldest first. */
export async function undecidedReversals(db: Kysely<Database>) {
  const { rows } = await sql<Pick<Reversal, 'id' | 'kind' | 'orderId' | 'withdrawnCents' | 'createdAt'>>`
    select id, kind, order_id, withdrawn_cents, created_at from reversal
    where ${isUndecided} and not ${isDisputeOpen} order by created_at limit ${AT_MOST}`.execute(db)
  return rows.map(({ withdrawnCents, createdAt, ...reversal }) => ({
    ...reversal,
    withdrawn: toEuros(withdrawnCents),
    since: createdAt.toISOString(),
  }))
}

export const viewAlarm = ({ name, subject, orderId, detail, times, firstAt, lastAt, ...acknowledged }: AlarmRow) => ({
  name,
  subject,
  orderId,
  detail,
  times,
  firstAt: firstAt.toISOString(),
  lastAt: lastAt.toISOString(),
  acknowledged: viewAcknowledgement(acknowledged),
})

export const viewReversal = ({ amountCents, withdrawnCents, ...reversal }: Reversal) => {
  const { id, kind, status, reason, borneBy, lineIds, ambiguous } = reversal
  const amounts = { amount: amountCents === null ? null : toEuros(amountCents), withdrawn: toEuros(withdrawnCents) }
  return { id, kind, status, reason, borneBy, lineIds, ambiguous, ...amounts }
}

/** Everything stored about one order. */
export async function orderHistory(db: Kysely<Database>, order: Order): Promise<OrderHistory> {
  const { id, sessionId, intentId } = order
  const view = viewOrder((await findOrderDetails(db, id))!)
  const lineIds = view.lines.map(({ _id }) => _id)
  const alarms = await db.selectFrom('alarm').selectAll().where('orderId', '=', id).orderBy('firstAt').execute()
  const events = await db
    .selectFrom('stripeInbox')
    .selectAll()
    .where((eb) => eb.or([eb('sessionId', '=', sessionId), eb('intentId', '=', intentId), eb('orderId', '=', id)]))
    .orderBy('receivedAt')
    .execute()
  const refunds = await db.selectFrom('refund').selectAll().where('lineId', '=', anyOf(lineIds)).execute()
  const reversals = await reversalsOf(db, id)
  const entries = await db
    .selectFrom('bookEntry')
    .selectAll()
    .where('lineId', '=', anyOf(lineIds))
    .orderBy('id')
    .execute()
  const actions = await listOperatorActions(db, [id, ...lineIds])
  const notes = await notesOf(db, id)
  return {
    order: view,
    buyerId: order.buyerId,
    money: order.money,
    held: toEuros(order.heldCents),
    sessionId,
    intentId,
    cancelRequestedBy: order.cancelRequestedBy,
    alarms: alarms.map(viewAlarm),
    events: events.map(({ eventId, type, receivedAt, outcome }) => ({
      eventId,
      type,
      receivedAt: receivedAt.toISOString(),
      outcome,
    })),
    refunds: refunds.map(({ lineId, amountCents, state, error, requestedAt }) => ({
      lineId,
      amount: toEuros(amountCents),
      state,
      error,
      requestedAt: requestedAt.toISOString(),
    })),
    reversals: reversals.map(viewReversal),
    entries: entries.map(({ lineId, kind, cause, userId, amountCents, at, payoutId }) => ({
      lineId,
      kind,
      cause,
      userId,
      payoutId,
      amount: toEuros(amountCents),
      at: at.toISOString(),
    })),
    actions: actions.map(({ action, operator, reason, at }) => ({
      action,
      operator: operator,
      reason: reason,
      at: at.toISOString(),
    })),
    notes: notes.map(viewNote),
  }
}
