import type { Receipt } from '../chain/node.ts'
import { broadcast, isToBeCancelled, replaceIfNeeded } from './broadcast.ts'
import type { ChainContext } from './chain-context.ts'
import { type FollowedSigner, lockTransaction, newestAttempt, type OpenTransaction } from './chain-transaction.store.ts'
import { closeWithoutSuccess, finalize } from './finalize.ts'
import { haltSigner } from './halt-signer.ts'

/** Nonces of one signer by the chain; the index has passed the final blocks up to `settledBlock`. */
export type Heights = { minedNonce: number; finalNonce: number; finalBlock: number; settledBlock: number }

/**
 * A node may lack a receipt for a while; a nonce was used by a foreign transaction when it does so for this many final
 * blocks.
 */
const MISSING_FOR_BLOCKS = 10

/** Follows one open transaction until a final block has its nonce. Returns true when it should run again at once. */
export async function trackTransaction(
  context: ChainContext,
  signer: FollowedSigner,
  transaction: OpenTransaction,
  { receipt, ...heights }: Heights & { receipt: Receipt | undefined },
): Promise<boolean> {
  const { nonce } = transaction
  if (receipt) {
    await recordMined(context, transaction, receipt)
    return receipt.block <= heights.settledBlock ? finalize(context, transaction, receipt) : false
  }

  if (transaction.state === 'mined') await recordReorg(context, transaction)
  const isUsed = nonce < heights.finalNonce
  if (isUsed && !(await isMissingForLong(context, transaction, heights.finalBlock))) return false
  if (signer.state === 'retired')
    return signer.retiredBlock! <= heights.settledBlock ? putBack(context, signer, transaction) : false
  if (isUsed) {
    const reason = `Nonce ${nonce} was used by a transaction that is not ours`
    const isOpen = async (trx: Parameters<typeof lockTransaction>[0]) =>
      (await lockTransaction(trx, transaction.id)).state !== 'final'
    await haltSigner(context, signer.address, { reason, stillHolds: isOpen })
    if (transaction.isOverdue) await takeOutOverdue(context, transaction)
    return false
  }
  if (nonce < heights.minedNonce) return false
  if (!isToBeCancelled(transaction)) await broadcast(context, transaction)
  return replaceIfNeeded(context, transaction, nonce === heights.minedNonce)
}

/**
 * No attempt of a retired signer's nonce is in a block that the index has passed, and in later blocks each would
 * revert: its work goes to another signer.
 */
async function putBack(
  context: ChainContext,
  signer: FollowedSigner,
  { id, nonce }: OpenTransaction,
): Promise<boolean> {
  await context.db.transaction().execute(async (trx) => {
    const locked = await lockTransaction(trx, id)
    if (locked.state !== 'final') await closeWithoutSuccess(context, trx, locked, { outcome: 'lost' })
  })
  context.log.warn({ signer: signer.address, nonce }, 'the signer is retired, its work waits for another signer')
  return true
}

/** Another transaction is final on the nonce, so no attempt can deliver what is past its deadline any more. */
const takeOutOverdue = ({ db, works }: ChainContext, { id }: OpenTransaction) =>
  db.transaction().execute(async (trx) => {
    const { state, kind } = await lockTransaction(trx, id)
    if (state !== 'final') await works[kind].overdue(trx, id)
  })

async function isMissingForLong({ db }: ChainContext, { id, receiptMissingSince }: OpenTransaction, block: number) {
  if (receiptMissingSince !== null) return block - receiptMissingSince >= MISSING_FOR_BLOCKS
  await db.updateTable('chainTransaction').set({ receiptMissingSince: block }).where('id', '=', id).execute()
  return false
}

/** At most one attempt of a nonce is in a block. */
export async function findReceipt(
  { node }: Pick<ChainContext, 'node'>,
  transaction: OpenTransaction,
): Promise<Receipt | undefined> {
  for (const { hash } of transaction.attempts.toReversed()) {
    const receipt = await node.receipt(hash)
    if (receipt) return receipt
  }
}

async function recordMined({ db }: ChainContext, transaction: OpenTransaction, { hash, block, blockHash }: Receipt) {
  if (transaction.state === 'mined' && transaction.minedBlockHash === blockHash) return
  await db
    .updateTable('chainTransaction')
    .set({ state: 'mined', minedHash: hash, minedBlock: block, minedBlockHash: blockHash, receiptMissingSince: null })
    .where('id', '=', transaction.id)
    .where('state', '<>', 'final')
    .execute()
}

/** A reorg removed the block: the state returns to signed, and the bytes are broadcast at once. */
async function recordReorg({ db, log }: ChainContext, transaction: OpenTransaction) {
  const { hash } = newestAttempt(transaction)
  log.warn({ nonce: transaction.nonce, hash }, 'transaction left the chain in a reorg, broadcasting it again')
  await db
    .updateTable('chainTransaction')
    .set({ state: 'signed', minedHash: null, minedBlock: null, minedBlockHash: null, broadcastAt: null })
    .where('id', '=', transaction.id)
    .where('state', '=', 'mined')
    .execute()
  transaction.broadcastAt = null
  transaction.state = 'signed'
}
