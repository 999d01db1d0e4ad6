import type { ChainContext, ChainIndex } from '../chain-transactions/chain-context.ts'
import { applyLogs } from './apply-logs.ts'
import { findCursor, lockCursor } from './cursor.store.ts'
import { recoverCustody } from './owner.actions.ts'

/** The index as transactions and deliveries use it. */
export const createChainIndex = ({
  db,
  contracts,
  log,
}: Pick<ChainContext, 'db' | 'contracts' | 'log'>): ChainIndex => ({
  hasPassed: async (block) => {
    const cursor = await findCursor(db, contracts.collection)
    return cursor !== undefined && cursor.haltedReason === null && cursor.block >= block
  },

  lastBlock: async () => {
    const cursor = await findCursor(db, contracts.collection)
    return cursor && cursor.block >= 0 ? cursor.block : undefined
  },

  apply: (logs) =>
    db.transaction().execute(async (trx) => {
      await lockCursor(trx, contracts.collection)
      await applyLogs(trx, logs, contracts, log)
    }),

  recoverCustody: (account) => db.transaction().execute((trx) => recoverCustody(trx, account, contracts.collection)),
})
