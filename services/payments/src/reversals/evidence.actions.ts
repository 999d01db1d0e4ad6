import type { Evidence } from '@nifty/api/payments/disputes'
import { takesEvidence } from '@nifty/api/payments/takes-evidence'
import { conflict, notFound, unavailable } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Kysely } from 'kysely'
import type { Database, Reversal } from '../db.ts'
import { orBusy } from '../locks/lock.errors.ts'
import { lockOrder } from '../orders/order.store.ts'
import type { StepDeps } from '../orders/run-step.ts'
import { classifyError, orMissing } from '../processor/failure.ts'
import { recordReversal } from './reversal.actions.ts'
import { findReversal } from './reversal.store.ts'

type Deps = Pick<StepDeps, 'processor' | 'log'> & { db: Kysely<Database> }

const disputeNotFound = () => notFound('dispute_not_found', 'No dispute has this id')

/** Throws 404 `dispute_not_found`, also for a refund or a warning. */
export async function needDispute(db: Kysely<Database>, id: string): Promise<Reversal> {
  const reversal = await findReversal(db, id)
  if (reversal?.kind !== 'dispute') throw disputeNotFound()
  return reversal
}

/**
 * Submits evidence to the processor, after which the bank decides, and stores the dispute's new state. Calls the
 * processor outside of a transaction. Throws 404 `dispute_not_found`, 409 `dispute_takes_no_evidence`, 503
 * `processor_unavailable`.
 */
export async function submitEvidence(
  { db, processor, log }: Deps,
  { id, evidence, operator, reason }: OperatorReason & { id: string; evidence: Evidence },
): Promise<Reversal> {
  const { orderId } = await needDispute(db, id)
  const failed = (error: unknown) => {
    log.warn({ err: error, disputeId: id }, 'evidence: the processor did not respond, returning 503')
    return unavailable('processor_unavailable', 'The card processor is unavailable')
  }
  const refuseUnlessOpen = async () => {
    const present = await orMissing(processor.dispute(id)).catch((error) => {
      throw failed(error)
    })
    if (!present) throw disputeNotFound()
    const { status } = present
    if (!takesEvidence(status))
      throw conflict('dispute_takes_no_evidence', `This dispute is ${status}`, { details: { status } })
  }

  await refuseUnlessOpen()
  await db
    .transaction()
    .execute((trx) => recordOperatorAction(trx, { action: 'submit-evidence', subject: orderId, operator, reason }))
  const submitted = await processor.submitEvidence(id, evidence).catch(async (error) => {
    // Refused because it was submitted or decided meanwhile.
    if (classifyError(error) === 'refused') await refuseUnlessOpen()
    throw failed(error)
  })
  await orBusy(
    db.transaction().execute(async (trx) => {
      const order = await lockOrder(trx, orderId)
      if (order) await recordReversal(trx, { log }, { order, reversal: submitted })
    }),
  )
  return needDispute(db, id)
}
