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
import type { StepDeps } from '../orders/run-step.ts'
import { classifyError, errorCode, isKeyExpired } from '../processor/failure.ts'

type Refund = Selectable<Database['refund']>

/** Stores the refund of a line before the call to the processor. Idempotent, unless the earlier refund failed. */
export async function requestRefund(trx: Transaction<Database>, lineId: string): Promise<Refund> {
  const line = await findLine(trx, lineId)
  if (!line) throw notFound('line_not_found', 'No such line')
  await lockOrder(trx, line.orderId)
  const earlier = await findRefund(trx, lineId)
  if (earlier && earlier.state !== 'failed') return earlier
  const { state } = (await findLine(trx, lineId))!
  if (state !== 'completed') throw conflict('not_refundable', `A line that is ${state} cannot be refunded`)
  const request = {
    state: 'requested' as const,
    error: null,
    processorId: null,
    resolvedAt: null,
    requestedAt: sql<Date>`now()`,
  }
  return trx
    .insertInto('refund')
    .values({ id: randomUUID(), lineId, amountCents: line.priceCents, ...request })
    .onConflict((held) => held.column('lineId').doUpdateSet({ ...request, attempt: sql`refund.attempt + 1` }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Submits pending refunds to the processor. Returns false: there is no more work before the next interval. */
export async function submitPendingRefunds(deps: StepDeps): Promise<boolean> {
  const open = await deps.longPool.selectFrom('refund').select('lineId').where('state', '=', 'requested').execute()
  for (const { lineId } of open) await submitRefund(deps, lineId)
  return false
}

/** Submits one refund and stores its outcome, under the order's lock. A `pending` one stays `requested`. */
export async function submitRefund(deps: StepDeps, lineId: string): Promise<Refund> {
  return deps.longPool.transaction().execute(async (trx) => {
    const line = await findLine(trx, lineId)
    if (!line) throw new Error(`line ${lineId} does not exist`)
    const order = (await lockOrder(trx, line.orderId))!
    const refund = (await findRefund(trx, lineId))!
    if (refund.state !== 'requested') return refund

    const outcome = await submitToProcessor(deps, { refund, order })
    const { status, error, id: processorId } = outcome
    if (status === 'pending') return saveRefund(trx, refund.id, { processorId })
    if (status === 'succeeded') await recordRefund(trx, refund, order.now)
    else {
      const detail = `refund of ${refund.amountCents} cents: ${error}`
      await raiseAlarm(trx, deps.log, { name: 'refund_failed', subject: refund.id, orderId: order.id, detail })
    }
    return saveRefund(trx, refund.id, { state: status, error, processorId, resolvedAt: order.now })
  })
}

/** A line that was disputed meanwhile stays `disputed`, though its money was refunded. */
async function recordRefund(trx: Transaction<Database>, { lineId, amountCents }: Refund, at: Date) {
  const line = (await findLine(trx, lineId))!
  const refunded = line.state === 'completed' ? await moveLine(trx, line, 'refunded') : line
  await publishEvent(trx, orderLineRefunded, { ...eventLine(refunded, at), refundedCents: amountCents })
}

type Outcome = { status: 'succeeded' | 'pending' | 'failed'; id: string | null; error: string | null }

/** Reads a refund that has an id; else creates it, under the same key while that is valid. */
async function submitToProcessor(
  { processor }: StepDeps,
  { refund, order }: { refund: Refund; order: Order & { now: Date } },
): Promise<Outcome> {
  const intentId = order.intentId!
  const find = async () => {
    const found = await processor.findRefund(intentId, refundKey(refund))
    return found && outcomeOf(found)
  }
  try {
    if (refund.processorId) return outcomeOf(await processor.refundById(refund.processorId))
    if (isKeyExpired(refund.requestedAt, order.now)) {
      const found = await find()
      if (found) return found
    }
    return outcomeOf(await processor.refund(intentId, refund.amountCents, refundKey(refund)))
  } catch (error) {
    if (classifyError(error) === 'unknown') throw error
    return (await find()) ?? { status: 'failed', id: null, error: errorCode(error) }
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
  changes: Partial<Pick<Refund, 'state' | 'processorId' | 'error' | 'resolvedAt'>>,
): Promise<Refund> =>
  trx.updateTable('refund').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
