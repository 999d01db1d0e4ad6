import { conflict } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { lockCursor, updateCursor } from '../chain-index/cursor.store.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import {
  type ChainTransaction,
  lockTransaction,
  type OpenTransaction,
  openTransactions,
} from '../chain-transactions/chain-transaction.store.ts'
import { closeWithoutSuccess } from '../chain-transactions/finalize.ts'
import { lockSigner, resumeSigner as resumeSignerRow } from '../chain-transactions/signer.store.ts'

/** How far the index goes back after a reorg past finality. */
const REINDEXED_BLOCKS = 1_000

/**
 * Resumes a halted signer, after an operator has found the reason. Closes transactions whose nonce a foreign
 * transaction has in a final block, so that their work gets new nonces; signing continues at the chain's nonce.
 */
export async function resumeSigner(
  context: ChainContext,
  { address, operator, reason }: { address: string } & OperatorReason,
): Promise<{ lost: number; nextNonce: number }> {
  const { db, node, contracts } = context
  const final = await node.finalBlock()
  if (!final) throw conflict('no_final_block', 'The chain has no final block yet')
  const [finalNonce, pendingNonce] = [await node.nonceAt(address, final.number), await node.nonceAt(address, 'pending')]

  const missing: OpenTransaction[] = []
  for (const transaction of await openTransactions(db, address)) {
    if (transaction.nonce >= finalNonce) continue
    const receipts = await Promise.all(transaction.attempts.map(({ hash }) => node.receipt(hash)))
    if (receipts.every((receipt) => !receipt)) missing.push(transaction)
  }

  return db.transaction().execute(async (trx) => {
    const row = await lockSigner(trx, address)
    if (!row || row.haltedReason === null) throw conflict('not_halted', 'The signer is not halted')
    const cursor = await lockCursor(trx, contracts.collection)
    await recordOperatorAction(trx, { action: 'resume-signer', subject: address, operator, reason })
    let lost = 0
    for (const { id, minedBlockHash } of missing) {
      const transaction = await lockTransaction(trx, id)
      if (isFoundSince(transaction, minedBlockHash)) continue
      await closeWithoutSuccess(context, trx, transaction, { outcome: 'lost' })
      lost++
    }
    const nextNonce = Math.max(row.nextNonce, pendingNonce)
    await resumeSignerRow(trx, address, nextNonce)
    if (cursor.haltedReason !== null) {
      const block = Math.max(-1, Math.min(cursor.block, final.number) - REINDEXED_BLOCKS)
      await updateCursor(trx, contracts.collection, { block, blockHash: null, haltedReason: null })
    }
    return { lost, nextNonce }
  })
}

/** The tracker had the receipt after it was missing here. */
const isFoundSince = ({ state, minedBlockHash }: ChainTransaction, readBlockHash: string | null) =>
  state === 'final' || (state === 'mined' && minedBlockHash !== readBlockHash)
