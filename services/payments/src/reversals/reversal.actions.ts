import type { Kysely, Transaction } from 'kysely'
import { raiseAlarm } from '../alarms/alarm.store.ts'
import { formatCents } from '../alarms/format-cents.ts'
import type { Database, Line, Order, Reversal } from '../db.ts'
import { stopUndelivered } from '../orders/cancellation.actions.ts'
import { publishDispute, setContested } from '../orders/line.events.ts'
import { linesOf } from '../orders/line.store.ts'
import { isPaid } from '../orders/line.ts'
import { type LockedOrder, lockOrder } from '../orders/order.store.ts'
import type { StepDeps } from '../orders/run-step.ts'
import type { ProcessorReversal } from '../processor/reversal.ts'
import { bookOrder } from './book-order.ts'
import { findReversal, ordersToContest, reversalsOf, saveReversal } from './reversal.store.ts'
import { isContesting, isDisputing, isFailedRefund, isInquiry, parseRefundKey } from './reversal.ts'

type Deps = Pick<StepDeps, 'log' | 'processor'>

/**
 * Reads refunds, disputes and warnings of an order's payment from the processor and books what changed. Locks the
 * order. `mentionedIntent` is read while the order has no payment yet.
 */
export async function syncReversals(
  trx: Transaction<Database>,
  deps: Deps,
  orderId: string,
  mentionedIntent: string | null = null,
) {
  const order = await lockOrder(trx, orderId)
  const intentId = order?.intentId ?? mentionedIntent
  if (!order || !intentId) return
  const found = await deps.processor.reversals(intentId)
  for (const reversal of found) await recordReversal(trx, deps, { order, reversal })
  await contestLines(trx, order)
}

type Found = { order: LockedOrder; reversal: ProcessorReversal }

/**
 * Stores one refund, dispute or warning, books it, contests its lines and raises its alarms. Nothing happens for one
 * that has not changed.
 */
export async function recordReversal(trx: Transaction<Database>, deps: Pick<Deps, 'log'>, { order, reversal }: Found) {
  const { refundKey, ...fields } = reversal
  const before = await findReversal(trx, reversal.id)
  if (before && isSame(before, reversal)) return
  const request = await ownRefund(trx, order.id, refundKey)
  const after = await saveReversal(trx, { ...fields, orderId: order.id, refundId: request?.id ?? null })
  if (request) await saveOutcome(trx, request, { after, now: order.now })
  if (reversal.kind !== 'fraud_warning') await bookOrder(trx, order, { cause: reversal.kind, reversalId: reversal.id })
  await contestLines(trx, order)
  await announceDispute(trx, order, { before, after })
  await alarm(trx, deps, { order, before, after: (await findReversal(trx, reversal.id))! })
  if (isDisputing(after) || after.kind === 'fraud_warning') await stopUndelivered(trx, order, 'dispute')
}

const isSame = (before: Reversal, { status, withdrawnCents, dueBy }: ProcessorReversal) =>
  before.status === status && before.withdrawnCents === withdrawnCents && before.dueBy?.getTime() === dueBy?.getTime()

const isReserved = ({ sellerId }: Line) => sellerId !== null

/** Contests the paid lines that a bank's objection concerns, and clears the others. The order is locked. */
export async function contestLines(trx: Transaction<Database>, order: LockedOrder) {
  const objections = (await reversalsOf(trx, order.id)).filter(({ kind }) => kind !== 'refund')
  if (objections.length === 0) return
  const contesting = objections.filter(isContesting)
  for (const line of (await linesOf(trx, order.id)).filter(isReserved)) {
    const contested = isPaid(line) && contesting.some(({ lineIds }) => lineIds?.includes(line.id) ?? true)
    await setContested(trx, line, { contested })
  }
}

/** Publishes the beginning of a dispute that takes money, and that it was won, for the lines that it concerns. */
async function announceDispute(
  trx: Transaction<Database>,
  order: LockedOrder,
  { before, after }: { before: Reversal | undefined; after: Reversal },
) {
  const wasDisputing = before !== undefined && isDisputing(before)
  const stage = !wasDisputing && isDisputing(after) ? 'opened' : wasDisputing && after.status === 'won' ? 'won' : null
  if (stage === null) return
  for (const line of (await linesOf(trx, order.id)).filter(isReserved))
    if (isPaid(line) && (after.lineIds?.includes(line.id) ?? true))
      await publishDispute(trx, line, { reversalId: after.id, stage, at: order.now })
}

/** For objections that a former release stored, which contested no lines. Afterwards each line has its row. */
export async function contestStoredObjections(longPool: Kysely<Database>) {
  for (const orderId of await ordersToContest(longPool))
    await longPool.transaction().execute(async (trx) => {
      const order = await lockOrder(trx, orderId)
      if (order) await contestLines(trx, order)
    })
}

/** The request of this store that made a refund; null for one that was made at the processor. */
async function ownRefund(trx: Transaction<Database>, orderId: string, refundKey: string | null) {
  const key = parseRefundKey(refundKey)
  if (!key) return null
  const request = await trx
    .selectFrom('refund')
    .innerJoin('line', 'line.id', 'refund.lineId')
    .select(['refund.id', 'refund.attempt'])
    .where('refund.id', '=', key.id)
    .where('line.orderId', '=', orderId)
    .executeTakeFirst()
  return request ? { id: request.id, isLatest: request.attempt === key.attempt } : null
}

const pending = ['pending', 'requires_action']

/** The outcome of the latest attempt of a request. A pending one stays `requested`. */
async function saveOutcome(
  trx: Transaction<Database>,
  { id, isLatest }: { id: string; isLatest: boolean },
  { after, now }: { after: Reversal; now: Date },
) {
  if (!isLatest) return
  const { id: processorId, status, reason } = after
  const outcome = pending.includes(status)
    ? { state: 'requested' as const, error: null, resolvedAt: null }
    : status === 'succeeded'
      ? { state: 'succeeded' as const, error: null, resolvedAt: now }
      : { state: 'failed' as const, error: reason ?? status, resolvedAt: now }
  await trx
    .updateTable('refund')
    .set({ ...outcome, processorId })
    .where('id', '=', id)
    .execute()
}

type Change = { order: Order; before: Reversal | undefined; after: Reversal }

async function alarm(trx: Transaction<Database>, { log }: Pick<Deps, 'log'>, { order, before, after }: Change) {
  const subject = { subject: after.id, orderId: order.id }
  const decide = `the shares are held back until \`pnpm ops assign ${after.id} <platform or seller>\``
  if (after.kind === 'fraud_warning') {
    const states = (await linesOf(trx, order.id)).map(({ state }) => state).join(', ')
    const detail = `${after.reason ?? 'no reason given'}, while the order's lines were ${states}; \`pnpm ops clear-dispute ${after.id}\` ends it`
    return raiseAlarm(trx, log, { name: 'fraud_warning', ...subject, detail })
  }
  if (after.kind === 'dispute') {
    const detail = isInquiry(after.status)
      ? `inquiry ${after.status} (${after.reason}) about ${formatCents(after.amountCents!)}: nothing is withdrawn, a refund ends it`
      : `dispute ${after.status.replaceAll('_', ' ')} (${after.reason}), ${formatCents(after.withdrawnCents)} withdrawn; if it is lost, ${decide}`
    return raiseAlarm(trx, log, { name: 'disputed', ...subject, detail })
  }
  if (isFailedRefund(after.status)) {
    const what = before?.status === 'succeeded' ? 'failed at the bank after it had succeeded' : 'failed'
    const detail = `refund of ${formatCents(after.amountCents!)} ${what}: ${after.reason ?? after.status}. The buyer has no money back`
    return raiseAlarm(trx, log, { name: 'refund_failed', ...subject, detail })
  }
  if (!after.refundId && !before) {
    const lines = after.ambiguous ? ', with the line ids as a third argument' : ''
    const detail = `refund of ${formatCents(after.amountCents!)} made at the processor; ${decide}${lines}`
    await raiseAlarm(trx, log, { name: 'refund_found', ...subject, detail })
  }
}
