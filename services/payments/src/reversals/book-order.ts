import { orderLineLossAssigned, orderLineRefunded, orderLineRefundFailed } from '@nifty/events/payments'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import { type Allocation, allocate } from '../books/allocation.ts'
import { bookLine } from '../books/book.store.ts'
import { type Bearer, balancesOf, type EntryCause, type Losses, splitPrice } from '../books/book.ts'
import { erasePayees } from '../books/payee.store.ts'
import type { Database, Line, Reversal } from '../db.ts'
import { eventLine } from '../orders/line.events.ts'
import { linesOf, moveLine, reservedLine } from '../orders/line.store.ts'
import { type LineState, pathTo } from '../orders/line.ts'
import type { LockedOrder } from '../orders/order.store.ts'
import { changeReversal, markAmbiguous, reversalsOf } from './reversal.store.ts'
import { isDisputing } from './reversal.ts'

/**
 * Writes the first entries of lines that were captured or written off, then what was refunded or disputed before
 * that. The order is locked.
 */
export async function openBooks(trx: Transaction<Database>, order: LockedOrder, cause: 'capture' | 'write_off') {
  const losses = { platform: 0, seller: 0 }
  for (const line of (await linesOf(trx, order.id)).filter(isBooked))
    await book(trx, line, { order, losses, cause, reversalId: null })
  const [latest] = (await reversalsOf(trx, order.id)).filter(({ kind }) => kind !== 'fraud_warning').reverse()
  if (latest) await bookOrder(trx, order, { cause: latest.kind as 'refund' | 'dispute', reversalId: latest.id })
}

type Cause = { cause: Exclude<EntryCause, 'capture' | 'write_off'>; reversalId: string }

/**
 * Brings books and states of an order's lines to what was captured, refunded, disputed and assigned. Writes only the
 * differences, so that it may run at any time. The order is locked.
 */
export async function bookOrder(trx: Transaction<Database>, order: LockedOrder, cause: Cause) {
  const { lines, reversals, allocation } = await allocationOf(trx, order)
  if (lines.length === 0) return
  await markAmbiguous(trx, order.id, allocation.ambiguous)

  for (const line of lines) {
    await book(trx, line, { order, losses: lossesOf(line, allocation, reversals), ...cause })
    await moveToState(trx, line, stateOf(line, { allocation, reversals }))
  }
  for (const { id } of reversals.filter(({ borneBy }) => borneBy === null))
    if (isWithoutShares(id, { lines, allocation })) await changeReversal(trx, id, { borneBy: 'platform' })
  for (const one of reversals) await publishRefund(trx, order, { refund: one, reversals, lines, allocation })
}

/** Whether a refund or dispute takes only what was captured without a delivery: nobody has a share of that. */
function isWithoutShares(id: string, { lines, allocation }: { lines: Line[]; allocation: Allocation }): boolean {
  const parts = allocation.parts.filter(({ reversalId }) => reversalId === id)
  if (parts.length === 0 || allocation.ambiguous.includes(id)) return false
  return parts.every(({ lineId }) => !wasDelivered(lines.find((line) => line.id === lineId)!))
}

/** The booked lines of an order, its refunds and disputes with their lines, and what these take from each line. */
async function allocationOf(trx: Transaction<Database>, order: LockedOrder) {
  const lines = (await linesOf(trx, order.id)).filter(isBooked)
  const stored = await reversalsOf(trx, order.id)
  const reversals = await Promise.all(stored.map(async (one) => ({ ...one, lineIds: await knownLines(trx, one) })))
  return { lines, reversals, allocation: allocate(lines, reversals) }
}

/** Publishes for the sellers who bears a refund or dispute. The order is locked. */
export async function publishAssignment(
  trx: Transaction<Database>,
  order: LockedOrder,
  { reversalId, kind, borneBy }: { reversalId: string; kind: 'refund' | 'dispute'; borneBy: Bearer },
) {
  const { lines, allocation } = await allocationOf(trx, order)
  for (const { lineId, cents } of allocation.parts.filter((part) => part.reversalId === reversalId)) {
    const line = eventLine(lines.find(({ id }) => id === lineId)!, order.now)
    await publishEvent(trx, orderLineLossAssigned, { ...line, reversalId, kind, borneBy, lostCents: cents })
  }
}

type Booking = { order: LockedOrder; losses: Losses; cause: EntryCause; reversalId: string | null }

async function book(trx: Transaction<Database>, line: Line, { order, losses, cause, reversalId }: Booking) {
  const reserved = reservedLine(line)
  const { id: lineId, sellerId, creatorId } = reserved
  const shares = wasDelivered(line) ? splitPrice({ ...reserved, commissionBps: order.commissionBps }) : null
  const balances = balancesOf({ ...line, shares, losses })
  await bookLine(trx, { lineId, sellerId, creatorId, balances, cause, reversalId })
  await erasePayees(trx, [sellerId, creatorId])
}

const delivered: readonly LineState[] = ['completed', 'refunded', 'disputed', 'written_off']
const wasDelivered = ({ state }: Line) => delivered.includes(state)
const isBooked = (line: Line) => wasDelivered(line) || line.capturedCents > 0

/** The lines that a refund or dispute concerns; null until an operator names them. */
export async function knownLines(
  trx: Transaction<Database>,
  { lineIds, refundId }: Reversal,
): Promise<string[] | null> {
  if (lineIds || !refundId) return lineIds
  const { lineId } = await trx
    .selectFrom('refund')
    .select('lineId')
    .where('id', '=', refundId)
    .executeTakeFirstOrThrow()
  return [lineId]
}

function lossesOf(line: Line, { parts }: Allocation, reversals: Reversal[]): Losses {
  const losses: Losses = { platform: 0, seller: 0 }
  for (const { reversalId, lineId, cents } of parts)
    if (lineId === line.id) losses[reversals.find(({ id }) => id === reversalId)!.borneBy ?? 'platform'] += cents
  return losses
}

/** `refunded` once all of it was refunded, else `disputed` while a dispute takes it, else `completed`. */
function stateOf(
  line: Line,
  { allocation, reversals }: { allocation: Allocation; reversals: Reversal[] },
): 'completed' | 'refunded' | 'disputed' {
  if (isRefunded(line, { allocation, reversals })) return 'refunded'
  const isDisputed = reversals.some((one) => isDisputing(one) && (one.lineIds?.includes(line.id) ?? true))
  return isDisputed ? 'disputed' : 'completed'
}

function isRefunded(line: Line, { allocation, reversals }: { allocation: Allocation; reversals: Reversal[] }): boolean {
  const refunds = reversals.filter(({ id, kind }) => kind === 'refund' && !allocation.ambiguous.includes(id))
  const refundedCents = allocation.parts
    .filter(({ reversalId, lineId }) => lineId === line.id && refunds.some(({ id }) => id === reversalId))
    .reduce((sum, { cents }) => sum + cents, 0)
  return line.capturedCents > 0 && refundedCents >= line.capturedCents
}

async function moveToState(trx: Transaction<Database>, line: Line, state: 'completed' | 'refunded' | 'disputed') {
  if (line.state !== 'completed' && line.state !== 'refunded' && line.state !== 'disputed') return
  let current = line
  for (const next of pathTo(line.state, state) ?? []) current = await moveLine(trx, current, next)
}

type Refunded = { refund: Reversal; reversals: Reversal[]; lines: Line[]; allocation: Allocation }

/** Publishes each refund once, and its failure, for the mails about it, when its lines are certain. */
async function publishRefund(
  trx: Transaction<Database>,
  order: LockedOrder,
  { refund, reversals, lines, allocation }: Refunded,
) {
  const { id, kind, published, withdrawnCents } = refund
  if (kind !== 'refund') return
  await publishFailure(trx, order, { refund, lines })
  if (published || withdrawnCents === 0 || allocation.ambiguous.includes(id)) return
  const parts = allocation.parts.filter(({ reversalId }) => reversalId === id)
  for (const { lineId, cents } of parts) {
    const line = lines.find((one) => one.id === lineId)!
    await publishEvent(trx, orderLineRefunded, {
      ...eventLine(line, order.now),
      refundId: id,
      refundedCents: cents,
      delivered: wasDelivered(line),
      whole: isRefunded(line, { allocation, reversals }),
    })
  }
  if (parts.length > 0) await changeReversal(trx, id, { published: true })
}

/** A failed refund is published; a cancelled one only if it was published before as made. */
async function publishFailure(
  trx: Transaction<Database>,
  order: LockedOrder,
  { refund, lines }: { refund: Reversal; lines: Line[] },
) {
  const { id: refundId, status, published, failurePublished, lineIds, amountCents } = refund
  if (failurePublished || !(status === 'failed' || (status === 'canceled' && published))) return
  const line = lines.find(({ id }) => lineIds?.includes(id) ?? true)!
  await publishEvent(trx, orderLineRefundFailed, {
    ...eventLine(line, order.now),
    refundId,
    refundedCents: amountCents!,
  })
  await changeReversal(trx, refundId, { failurePublished: true })
}
