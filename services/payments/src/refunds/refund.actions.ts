import { randomUUID } from 'node:crypto'
import { orderLineRefunded } from '@nifty/events/payments'
import { conflict, notFound } from '@nifty/service-kit/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { type Selectable, sql, type Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import type { Database, Order } from '../db.ts'
import { eventLine } from '../orders/line.events.ts'
import { findLine, moveLine } from '../orders/line.store.ts'
import { lockOrder } from '../orders/order.store.ts'
import type { Advancing } from '../orders/run-step.ts'
import { codeOf, isKeyTooOld, meaningOf } from '../processor/failure.ts'

export type Refund = Selectable<Database['refund']>

/** Stores that a line is to be refunded, and commits it, before the processor is asked. Asked again, it is the same refund. */
export async function askRefund(trx: Transaction<Database>, lineId: string): Promise<Refund> {
  const line = await findLine(trx, lineId)
  if (!line) throw notFound('line_not_found', 'No such line')
  await lockOrder(trx, line.orderId)
  const earlier = await findRefund(trx, lineId)
  if (earlier && earlier.state !== 'failed') return earlier
  const { state } = (await findLine(trx, lineId))!
  if (state !== 'completed') throw conflict('not_refundable', `A line that is ${state} cannot be refunded`)
  const again = { state: 'asked' as const, error: null, processorId: null, settledAt: null, askedAt: sql<Date>`now()` }
  return trx
    .insertInto('refund')
    .values({ id: randomUUID(), lineId, amountCents: line.priceCents, ...again })
    .onConflict((held) => held.column('lineId').doUpdateSet({ ...again, attempt: sql`refund.attempt + 1` }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Asks the processor for refunds that were asked for and have no outcome. False when there is none. */
export async function settleRefunds(deps: Advancing): Promise<boolean> {
  const open = await deps.desk.selectFrom('refund').select('lineId').where('state', '=', 'asked').execute()
  for (const { lineId } of open) await settleRefund(deps, lineId)
  return false
}

/** Takes one refund as far as the processor lets it, under the order's lock. A refund counts once it `succeeded`. */
export async function settleRefund(deps: Advancing, lineId: string): Promise<Refund> {
  return deps.desk.transaction().execute(async (trx) => {
    const line = await findLine(trx, lineId)
    if (!line) throw new Error(`line ${lineId} is gone`)
    const order = (await lockOrder(trx, line.orderId))!
    const refund = (await findRefund(trx, lineId))!
    if (refund.state !== 'asked') return refund

    const outcome = await askProcessor(deps, { refund, order })
    const { status, error, id: processorId } = outcome
    if (status === 'pending') return saveRefund(trx, refund.id, { processorId })
    if (status === 'succeeded') await noteRefunded(trx, refund, order.now)
    else {
      const detail = `refund of ${refund.amountCents} cents: ${error}`
      await raiseAlarm(trx, deps.log, { name: 'refund_failed', subject: refund.id, orderId: order.id, detail })
    }
    return saveRefund(trx, refund.id, { state: status, error, processorId, settledAt: order.now })
  })
}

/** A line that was disputed meanwhile stays so; the money went back all the same. */
async function noteRefunded(trx: Transaction<Database>, { lineId, amountCents }: Refund, at: Date) {
  const line = (await findLine(trx, lineId))!
  const told = line.state === 'completed' ? await moveLine(trx, line, 'refunded') : line
  await publishEvent(trx, orderLineRefunded, { ...eventLine(told, at), refundedCents: amountCents })
}

type Outcome = { status: 'succeeded' | 'pending' | 'failed'; id: string | null; error: string | null }

/** A known refund is looked up; an unknown one is asked for again under its key while that lives. */
async function askProcessor(
  { processor }: Advancing,
  { refund, order }: { refund: Refund; order: Order & { now: Date } },
): Promise<Outcome> {
  const intentId = order.intentId!
  const find = async () => {
    const found = await processor.findRefund(intentId, refundKey(refund))
    return found && outcomeOf(found)
  }
  try {
    if (refund.processorId) return outcomeOf(await processor.refundById(refund.processorId))
    if (isKeyTooOld(refund.askedAt, order.now)) {
      const found = await find()
      if (found) return found
    }
    return outcomeOf(await processor.refund(intentId, refund.amountCents, refundKey(refund)))
  } catch (error) {
    const meaning = meaningOf(error)
    if (meaning === 'unknown') throw error
    return (await find()) ?? { status: 'failed', id: null, error: codeOf(error) }
  }
}

const refundKey = ({ id, attempt }: Refund) => `refund:${id}:${attempt}`

type ProcessorRefund = { id: string; status: string | null; failure_reason?: string }

function outcomeOf({ id, status, failure_reason }: ProcessorRefund): Outcome {
  if (status === 'succeeded') return { status, id, error: null }
  if (status === 'pending' || status === 'requires_action') return { status: 'pending', id, error: null }
  return { status: 'failed', id, error: failure_reason ?? status ?? 'no status' }
}

const findRefund = (trx: Transaction<Database>, lineId: string): Promise<Refund | undefined> =>
  trx.selectFrom('refund').selectAll().where('lineId', '=', lineId).executeTakeFirst()

const saveRefund = (
  trx: Transaction<Database>,
  id: string,
  changes: Partial<Pick<Refund, 'state' | 'processorId' | 'error' | 'settledAt'>>,
): Promise<Refund> =>
  trx.updateTable('refund').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
