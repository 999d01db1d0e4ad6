import { sql } from 'kysely'
import type { Lane } from './chain-context.ts'

const EVERY_MS = 10_000
const LATER = '10 minutes'

/** Finality itself has failed before: what was final is looked at once more ten minutes later. */
export async function recheckFinal({ db, node, log }: Lane): Promise<boolean> {
  const due = await db
    .selectFrom('laneTransaction')
    .selectAll()
    .where('state', '=', 'final')
    .where('outcome', '<>', 'lost')
    .where('recheckedAt', 'is', null)
    .where('finalAt', '<', sql<Date>`now() - ${LATER}::interval`)
    .orderBy('finalAt')
    .limit(50)
    .execute()
  for (const { id, minedHash, minedBlockHash, nonce } of due) {
    const receipt = await node.receipt(minedHash!)
    if (receipt?.blockHash !== minedBlockHash)
      log.error({ alarm: 'reorg_past_finality', nonce, hash: minedHash }, 'a final transaction is in no block any more')
    await db.updateTable('laneTransaction').set({ recheckedAt: sql`now()` }).where('id', '=', id).execute()
  }
  return due.length === 50
}

export const recheckWorker = (lane: Lane) => ({ name: 'recheck', everyMs: EVERY_MS, run: () => recheckFinal(lane) })
