import { sql } from 'kysely'
import type { ChainContext } from './chain-context.ts'

const EVERY_MS = 10_000
const AUDIT_AFTER = '10 minutes'
const BATCH_SIZE = 50

/** Reads the receipt of each final transaction again after ten minutes: nodes have broken finality before. */
async function auditFinal({ db, node, log }: ChainContext): Promise<boolean> {
  const due = await db
    .selectFrom('chainTransaction')
    .selectAll()
    .where('state', '=', 'final')
    .where('outcome', '<>', 'lost')
    .where('auditedAt', 'is', null)
    .where('finalAt', '<', sql<Date>`now() - ${AUDIT_AFTER}::interval`)
    .orderBy('finalAt')
    .limit(BATCH_SIZE)
    .execute()
  for (const { id, minedHash, minedBlockHash, nonce } of due) {
    const receipt = await node.receipt(minedHash!)
    if (receipt?.blockHash !== minedBlockHash)
      log.error({ alarm: 'reorg_past_finality', nonce, hash: minedHash }, 'audit: a final transaction left its block')
    await db.updateTable('chainTransaction').set({ auditedAt: sql`now()` }).where('id', '=', id).execute()
  }
  return due.length === BATCH_SIZE
}

export const auditWorker = (context: ChainContext) => ({
  name: 'audit',
  everyMs: EVERY_MS,
  run: () => auditFinal(context),
})
