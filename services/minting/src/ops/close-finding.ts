import { notFound } from '@nifty/service-kit/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/operator-audit'
import { closeFinding, openFindings } from '../chain-transactions/audit-finding.store.ts'
import type { Db } from '../db.ts'

/** Closes the finding of a transaction (by its hash) whose lines an operator has settled. 404 without an open one. */
export async function closeFindingOf(db: Db, { hash, operator, reason }: { hash: string } & OperatorReason) {
  await db.transaction().execute(async (trx) => {
    const finding = (await openFindings(trx)).find((open) => open.hash === hash.toLowerCase())
    if (!finding || !(await closeFinding(trx, finding.transactionId)))
      throw notFound('finding_not_found', 'No such open finding of the audit')
    await recordOperatorAction(trx, { action: 'close-finding', subject: hash, operator, reason })
  })
}
