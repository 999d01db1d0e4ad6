import { sql } from 'kysely'
import { addFinding, closeFinding, openFindings } from './audit-finding.store.ts'
import type { ChainContext } from './chain-context.ts'
import type { ChainTransaction } from './chain-transaction.store.ts'

const AUDIT_AFTER = '10 minutes'
const BATCH_SIZE = 50
/** In one run: a node that does not respond takes seconds for each, and the service stops only after the run. */
const FAILURES_AT_MOST = 3

/**
 * Compares the block of each final transaction with the chain again after ten minutes: nodes have broken finality
 * before. A transaction whose block has been replaced is a finding, until its block is back or an operator closes it.
 * One whose block a node does not have is audited again after all others.
 */
export async function auditFinal(context: ChainContext): Promise<boolean> {
  const { db } = context
  const errors = await recheckFindings(context)
  const due = await db
    .selectFrom('chainTransaction')
    .selectAll()
    .where('state', '=', 'final')
    .where('outcome', '<>', 'lost')
    .where('auditedAt', 'is', null)
    .where('finalAt', '<', sql<Date>`now() - ${AUDIT_AFTER}::interval`)
    .orderBy('auditAttemptedAt', (order) => order.asc().nullsFirst())
    .orderBy('finalAt')
    .limit(BATCH_SIZE)
    .execute()
  let failures = 0
  for (const transaction of due) {
    if (failures === FAILURES_AT_MOST) break
    await audit(context, transaction).catch(async (error) => {
      errors.push(error)
      failures++
      const failed = db.updateTable('chainTransaction').set({ auditAttemptedAt: sql`now()` })
      await failed.where('id', '=', transaction.id).execute()
    })
  }
  if (errors.length > 0) throw errors[0]
  return due.length === BATCH_SIZE
}

/** Throws when a node does not have the block. */
async function audit({ db, node, log }: ChainContext, transaction: ChainTransaction) {
  const { id, minedHash, minedBlock, minedBlockHash, nonce } = transaction
  const isReplaced = await node.isReplaced({ number: minedBlock!, hash: minedBlockHash! })
  if (isReplaced && (await addFinding(db, id)))
    log.error({ alarm: 'reorg_past_finality', nonce, hash: minedHash }, 'audit: a final transaction left its block')
  await db.updateTable('chainTransaction').set({ auditedAt: sql`now()` }).where('id', '=', id).execute()
}

/** Returns the errors of findings whose block a node does not have. */
async function recheckFindings({ db, node, log }: ChainContext): Promise<unknown[]> {
  const errors: unknown[] = []
  for (const { transactionId, hash, block, blockHash } of await openFindings(db))
    try {
      if (!(await node.isReplaced({ number: block, hash: blockHash })) && (await closeFinding(db, transactionId)))
        log.warn({ hash }, 'audit: a final transaction is in its block again')
    } catch (error) {
      errors.push(error)
    }
  return errors
}
