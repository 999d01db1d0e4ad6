import { notFound } from '@nifty/service-kit/base/errors'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Transaction } from 'kysely'
import { isRepeated, type NewAcknowledgement, viewAcknowledgement } from '../alarms/acknowledgement.ts'
import type { Database } from '../db.ts'
import { findDifference, lockDifference, storeAcknowledgement, viewDifference } from './acknowledgement.store.ts'
import type { DifferenceKind } from './reconciliation.ts'

/**
 * The difference does not count until its detail changes, or `until`. Idempotent: who acknowledged it first stays,
 * unless the end is another one. Throws 404 `difference_not_found`.
 */
export async function acknowledgeDifference(
  trx: Transaction<Database>,
  { kind, subject, ...acknowledgement }: NewAcknowledgement & { kind: DifferenceKind; subject: string },
) {
  const row = await lockDifference(trx, kind, subject)
  if (!row) throw notFound('difference_not_found', 'No reconciliation found this difference')
  if (!isRepeated(row, acknowledgement.until)) {
    const { operator, reason } = acknowledgement
    await recordOperatorAction(trx, {
      action: 'acknowledge difference',
      subject: row.orderId ?? subject,
      operator,
      reason,
    })
    await storeAcknowledgement(trx, { kind, subject, ...acknowledgement })
  }
  const acknowledged = (await findDifference(trx, kind, subject))!
  return { ...viewDifference(acknowledged), acknowledged: viewAcknowledgement(acknowledged)! }
}
