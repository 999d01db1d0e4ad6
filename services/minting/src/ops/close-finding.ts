import { notFound } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { closeUnexpected } from '../chain-index/unexpected-delivery.actions.ts'
import { closeFinding, openFindings } from '../chain-transactions/audit-finding.store.ts'
import type { Db } from '../db.ts'

/**
 * Closes what was found about a transaction (by its hash), once an operator has settled it: that it left its block, and
 * what it delivered unexpectedly. 404 when nothing of it is open.
 */
export async function closeFindingOf(db: Db, { hash, operator, reason }: { hash: string } & OperatorReason) {
  const minedHash = hash.toLowerCase()
  await db.transaction().execute(async (trx) => {
    const finding = (await openFindings(trx)).find((open) => open.hash === minedHash)
    const isClosed = finding !== undefined && (await closeFinding(trx, finding.transactionId))
    if (!(await closeUnexpected(trx, minedHash)) && !isClosed)
      throw notFound('finding_not_found', 'Nothing found about this transaction is open')
    await recordOperatorAction(trx, { action: 'close-finding', subject: hash, operator, reason })
  })
}
