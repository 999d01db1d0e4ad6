import { randomUUID } from 'node:crypto'
import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { type Kysely, sql, type Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import { formatCents } from '../alarms/format-cents.ts'
import type { Database } from '../db.ts'
import { findLine } from '../orders/line.store.ts'
import { type LockedOrder, lockOrder } from '../orders/order.store.ts'
import type { StepDeps } from '../orders/run-step.ts'
import { classifyError, errorCode, isKeyExpired } from '../processor/failure.ts'
import type { ProcessorReversal } from '../processor/reversal.ts'
import { recordReversal, syncReversals } from '../reversals/reversal.actions.ts'
import { reversalsOf } from '../reversals/reversal.store.ts'
import { refundKeyOf } from '../reversals/reversal.ts'
import { dueRefund, findRefund, insertRefund, postponeRefund, type Refund, saveRefund } from './refund.store.ts'

/**
 * Stores the refund of what is left of a line before the call to the processor. Idempotent, unless the earlier refund
 * failed, or something is left after it because another one failed. Locks the order. Throws 409 `lines_not_named` while
 * a part of the order was refunded or disputed and its lines are not named: what is left of each line is not known.
 * `isNew` is false for an earlier refund.
 */
export async function requestRefund(
  trx: Transaction<Database>,
  lineId: string,
): Promise<{ refund: Refund; isNew: boolean }> {
  const line = await findLine(trx, lineId)
  if (!line) throw notFound('line_not_found', 'No such line')
  await lockOrder(trx, line.orderId)
  const earlier = await findRefund(trx, lineId)
  if (earlier?.state === 'requested') return { refund: earlier, isNew: false }
  const { state, capturedCents } = (await findLine(trx, lineId))!
  const amountCents = await leftOf(trx, lineId)
  const isRefundable = state === 'completed' || (state === 'released' && capturedCents > 0)
  if (earlier?.state === 'succeeded' && (!isRefundable || amountCents <= 0)) return { refund: earlier, isNew: false }
  const unnamed = (await reversalsOf(trx, line.orderId)).find(({ ambiguous }) => ambiguous)
  if (unnamed)
    throw conflict('lines_not_named', `Name the lines of ${unnamed.id} first, with \`pnpm ops assign ${unnamed.id}\``)
  if (!isRefundable || amountCents <= 0)
    throw conflict('not_refundable', `A line that is ${state} with ${formatCents(amountCents)} left cannot be refunded`)
  return { refund: await insertRefund(trx, { id: randomUUID(), lineId, amountCents }), isNew: true }
}

/** What is left of a line's captured amount after refunds and disputes, cents: the sum of its books. */
async function leftOf(db: Kysely<Database>, lineId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::int as cents from book_entry where line_id = ${lineId}`.execute(db)
  return rows[0]!.cents
}

/**
 * Submits the request that has been due longest; false when none is. One that fails is tried again after the others.
 */
export async function submitDueRefund(deps: StepDeps): Promise<boolean> {
  const due = await dueRefund(deps.longPool)
  if (!due) return false
  await submitRefund(deps, due.lineId).catch((error) =>
    deps.log.warn({ err: error, lineId: due.lineId }, 'refunds: outcome unknown, submitting it again later'),
  )
  await postponeRefund(deps.longPool, due.lineId)
  return true
}

/** Submits one refund and books its outcome, under the order's lock. A `pending` one stays `requested`. */
export async function submitRefund(deps: StepDeps, lineId: string): Promise<Refund> {
  return deps.longPool.transaction().execute(async (trx) => {
    const line = await findLine(trx, lineId)
    if (!line) throw new Error(`line ${lineId} does not exist`)
    const order = (await lockOrder(trx, line.orderId))!
    const refund = (await findRefund(trx, lineId))!
    if (refund.state !== 'requested') return refund

    const outcome = await submitToProcessor(deps, { refund, order })
    if ('refusal' in outcome) return recordRefusal(trx, deps, { order, refund, refusal: outcome.refusal })
    await recordReversal(trx, deps, { order, reversal: outcome.reversal })
    return (await findRefund(trx, lineId))!
  })
}

type Outcome = { reversal: ProcessorReversal } | { refusal: string }

/** Reads a refund that has an id; else creates it, under the same key while that is valid. */
async function submitToProcessor(
  { processor }: StepDeps,
  { refund, order }: { refund: Refund; order: LockedOrder },
): Promise<Outcome> {
  const intentId = order.intentId!
  const key = refundKeyOf(refund)
  const find = async () => (await processor.reversals(intentId)).find(({ refundKey }) => refundKey === key)
  try {
    if (refund.processorId) return { reversal: await processor.refundById(refund.processorId) }
    if (isKeyExpired(refund.requestedAt, order.now)) {
      const made = await find()
      if (made) return { reversal: made }
    }
    return { reversal: await processor.refund(intentId, refund.amountCents, key) }
  } catch (error) {
    if (classifyError(error) === 'unknown') throw error
    const made = await find()
    return made ? { reversal: made } : { refusal: errorCode(error) }
  }
}

type Refusal = { order: LockedOrder; refund: Refund; refusal: string }

/**
 * The processor refuses what was refunded or disputed there already: reads that. The request counts as succeeded when
 * the line has nothing left by a refund; else it failed, with an alarm.
 */
async function recordRefusal(trx: Transaction<Database>, deps: StepDeps, { order, refund, refusal }: Refusal) {
  await syncReversals(trx, deps, order.id)
  const { state } = (await findLine(trx, refund.lineId))!
  const isRefunded = state === 'refunded' || (state === 'released' && (await leftOf(trx, refund.lineId)) === 0)
  if (isRefunded)
    return saveRefund(trx, refund.id, {
      state: 'succeeded',
      error: `refunded at the processor: ${refusal}`,
      resolvedAt: order.now,
    })
  const detail = `refund of ${formatCents(refund.amountCents)}: ${refusal}; ${formatCents(await leftOf(trx, refund.lineId))} are left`
  await raiseAlarm(trx, deps.log, { name: 'refund_failed', subject: refund.id, orderId: order.id, detail })
  return saveRefund(trx, refund.id, { state: 'failed', error: refusal, resolvedAt: order.now })
}
