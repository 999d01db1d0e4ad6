import { conflict, notFound } from '@nifty/service-kit/errors'
import type { Transaction } from 'kysely'
import type { Bearer } from '../books/book.ts'
import type { Database, Reversal } from '../db.ts'
import { linesOf } from '../orders/line.store.ts'
import { lockOrder } from '../orders/order.store.ts'
import { bookOrder } from './book-order.ts'
import { changeReversal, findReversal } from './reversal.store.ts'

type Assignment = { reversalId: string; borneBy: Bearer; lineIds?: string[] }

/**
 * Names who bears a refund or dispute and, for a part of an order, its lines; books the difference. May be repeated with
 * another choice. Locks the order.
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
  return (await findReversal(trx, reversalId))!
}

async function checkLines(trx: Transaction<Database>, { orderId, refundId, withdrawnCents }: Reversal, ids: string[]) {
  if (refundId) throw conflict('line_is_known', 'This refund was requested for one line')
  const captured = (await linesOf(trx, orderId)).filter(({ capturedCents }) => capturedCents > 0)
  const named = captured.filter(({ id }) => ids.includes(id))
  if (named.length < new Set(ids).size) throw conflict('line_not_captured', 'A line is not one of this payment')
  if (named.reduce((sum, { capturedCents }) => sum + capturedCents, 0) < withdrawnCents)
    throw conflict('amount_exceeds_lines', 'More was withdrawn than these lines cost')
}
