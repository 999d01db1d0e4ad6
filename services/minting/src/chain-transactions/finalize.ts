import type { Transaction } from 'kysely'
import type { Receipt } from '../chain/node.ts'
import type { Database } from '../db.ts'
import type { ChainContext } from './chain-context.ts'
import {
  type ChainTransaction,
  closeTransaction,
  lockTransaction,
  type OpenTransaction,
} from './chain-transaction.store.ts'

/**
 * Closes a transaction whose receipt is in a final block that the index has passed. Success was applied by the index
 * from the logs; revert and cancellation are applied here. Returns false when the index missed the logs of a success,
 * and while the nodes have different receipts.
 */
export async function finalize(
  context: ChainContext,
  transaction: OpenTransaction,
  receipt: Receipt,
): Promise<boolean> {
  const { db, node, log, works, index } = context
  if (!(await node.isReceiptAgreed(receipt))) return false
  const attempt = transaction.attempts.find(({ hash }) => hash === receipt.hash)!
  const result = receipt.succeeded ? 'succeeded' : 'reverted'
  const outcome = attempt.kind === 'cancel' ? 'cancelled' : result

  const isAccepted = outcome === 'reverted' && (await wasAccepted(context, transaction, receipt))

  const closed = await db.transaction().execute(async (trx) => {
    const locked = await lockTransaction(trx, transaction.id)
    if (locked.state === 'final') return true
    if (outcome !== 'succeeded') await closeWithoutSuccess(context, trx, locked, { outcome, isAccepted })
    else if (await works[locked.kind].lockOpen(trx, locked.id)) return false
    else await closeTransaction(trx, locked.id, outcome)
    return true
  })
  if (!closed) {
    log.error({ alarm: 'log_missing', hash: receipt.hash }, 'final receipt without its logs, reading its block again')
    await index.apply((await node.logs({ from: receipt.block, to: receipt.block })).logs)
  }
  return closed
}

/**
 * Whether the contract accepted calls of the signer at the block of a revert, and at the one before: it may change
 * within the block. False also when a node no longer has the state of that block: trying again moves no token twice.
 */
async function wasAccepted(
  { node, log }: ChainContext,
  { callTo, signer }: OpenTransaction,
  { block, hash }: Receipt,
): Promise<boolean> {
  try {
    const at = [block - 1, block]
    return (await Promise.all(at.map((at) => node.acceptsCalls({ to: callTo }, signer, { at })))).every(Boolean)
  } catch (error) {
    log.warn({ err: error, hash, block }, 'the state at the block of a revert is unknown, its work is tried again')
    return false
  }
}

/**
 * `lost`: an operator confirmed that a foreign transaction has the nonce, or the signer is retired. A revert while the
 * contract accepts no calls of the signer says nothing about its work, which is signed again.
 */
export async function closeWithoutSuccess(
  { works }: Pick<ChainContext, 'works'>,
  trx: Transaction<Database>,
  { id, kind }: ChainTransaction,
  { outcome, isAccepted = false }: { outcome: 'reverted' | 'cancelled' | 'lost'; isAccepted?: boolean },
) {
  if (outcome === 'reverted' && isAccepted) await works[kind].reverted(trx, id)
  else await works[kind].cancelled(trx, id)
  await closeTransaction(trx, id, outcome)
}
