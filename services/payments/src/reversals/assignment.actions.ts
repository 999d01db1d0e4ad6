import { conflict, notFound } from '@nifty/service-kit/base/errors'
import type { Transaction } from 'kysely'
import { allocate } from '../books/allocation.ts'
import type { Bearer } from '../books/book.ts'
import type { Database, Line, Reversal } from '../db.ts'
import { linesOf } from '../orders/line.store.ts'
import { lockOrder } from '../orders/order.store.ts'
import { bookOrder, knownLines, publishAssignment } from './book-order.ts'
import { contestLines } from './reversal.actions.ts'
import { changeReversal, findReversal, reversalsOf } from './reversal.store.ts'

type Assignment = { reversalId: string; borneBy: Bearer; lineIds?: string[] }

/**
 * Decides who bears a refund or dispute and, for a part of an order, names its lines; books the difference. May be
 * repeated with another choice. Locks the order.
 */
export async function assignReversal(
  trx: Transaction<Database>,
  { reversalId, borneBy, lineIds }: Assignment,
): Promise<Reversal> {
  const found = await findReversal(trx, reversalId)
  if (!found || found.kind === 'fraud_warning') throw notFound('reversal_not_found', 'No such refund or dispute')
  const order = (await lockOrder(trx, found.orderId))!
  if (lineIds) await checkLines(trx, found, lineIds)
  await changeReversal(trx, reversalId, { borneBy, ...(lineIds ? { lineIds } : {}) })
  await bookOrder(trx, order, { cause: 'assignment', reversalId })
  await contestLines(trx, order)
  if (found.borneBy !== borneBy) await publishAssignment(trx, order, { reversalId, kind: found.kind, borneBy })
  return (await findReversal(trx, reversalId))!
}

async function checkLines(trx: Transaction<Database>, reversal: Reversal, ids: string[]) {
  const { orderId, refundId, withdrawnCents } = reversal
  if (refundId) throw conflict('line_is_known', 'This refund was requested for one line')
  const captured = (await linesOf(trx, orderId)).filter(({ capturedCents }) => capturedCents > 0)
  const named = captured.filter(({ id }) => ids.includes(id))
  if (named.length < new Set(ids).size) throw conflict('line_not_captured', 'A line is not one of this payment')
  const capturedCents = named.reduce((sum, line) => sum + line.capturedCents, 0)
  if (capturedCents - (await takenByOthers(trx, reversal, captured, ids)) < withdrawnCents)
    throw conflict('amount_exceeds_lines', 'More was withdrawn than is left of these lines')
}

/** What the other refunds and disputes whose lines are named take from these lines, cents. */
async function takenByOthers(trx: Transaction<Database>, { id, orderId }: Reversal, captured: Line[], ids: string[]) {
  const others = (await reversalsOf(trx, orderId)).filter((other) => other.id !== id)
  const known = await Promise.all(others.map(async (other) => ({ ...other, lineIds: await knownLines(trx, other) })))
  const { parts } = allocate(
    captured,
    known.filter(({ lineIds }) => lineIds !== null),
  )
  return parts.reduce((sum, { lineId, cents }) => sum + (ids.includes(lineId) ? cents : 0), 0)
}
