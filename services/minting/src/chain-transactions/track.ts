import type { Worker } from '@nifty/service-kit/worker'
import type { Transaction } from 'kysely'
import type { Block, Receipt } from '../chain/node.ts'
import type { Database } from '../db.ts'
import { broadcast, replaceIfNeeded } from './broadcast.ts'
import type { ChainContext } from './chain-context.ts'
import { lockTransaction, newestAttempt, type OpenTransaction, openTransactions } from './chain-transaction.store.ts'
import { finalize } from './finalize.ts'
import { ensureSigner } from './queue.ts'
import { haltSigner, lockSigner, type SignerRow } from './signer.store.ts'

type Heights = { minedNonce: number; finalNonce: number; final: Block | undefined; indexedBlock: number }

/** How often the nonces of the key are read while no transaction is open. */
const IDLE_POLL_MS = 60_000

/** Follows every open transaction until a final block has its nonce. Returns true when it should run again at once. */
async function trackAll(context: ChainContext, open: OpenTransaction[]): Promise<boolean> {
  const { node, index } = context
  const { nextNonce } = await ensureSigner(context)
  const final = await node.finalBlock()
  const [minedNonce, finalNonce, indexedBlock] = await Promise.all([
    node.nonceAt('latest'),
    final ? node.nonceAt(final.number) : 0,
    index.lastBlock(),
  ])
  if (finalNonce > nextNonce) {
    const reason = `The chain has ${finalNonce} transactions of the key, the database has ${nextNonce}`
    await halt(context, reason, async (_, row) => finalNonce > row.nextNonce)
  }

  const heights: Heights = { minedNonce, finalNonce, final, indexedBlock }
  let busy = false
  for (const transaction of open) if (await trackOne(context, transaction, heights)) busy = true
  return busy
}

async function trackOne(context: ChainContext, transaction: OpenTransaction, heights: Heights): Promise<boolean> {
  const { nonce } = transaction
  const receipt = nonce < heights.minedNonce ? await findReceipt(context, transaction) : undefined
  if (receipt) {
    await recordMined(context, transaction, receipt)
    const isFinal = heights.final && receipt.block <= heights.final.number && receipt.block <= heights.indexedBlock
    return isFinal ? finalize(context, transaction, receipt) : false
  }

  if (transaction.state === 'mined') await recordReorg(context, transaction)
  if (nonce < heights.finalNonce) {
    const reason = `Nonce ${nonce} was used by a transaction that is not ours`
    await halt(context, reason, async (trx) => (await lockTransaction(trx, transaction.id)).state !== 'final')
    return false
  }
  if (nonce < heights.minedNonce) return false
  await broadcast(context, transaction)
  return replaceIfNeeded(context, transaction, nonce === heights.minedNonce)
}

/** At most one attempt of a nonce is in a block. */
async function findReceipt({ node }: ChainContext, transaction: OpenTransaction): Promise<Receipt | undefined> {
  for (const { hash } of transaction.attempts.toReversed()) {
    const receipt = await node.receipt(hash)
    if (receipt) return receipt
  }
}

async function recordMined({ db }: ChainContext, transaction: OpenTransaction, { hash, block, blockHash }: Receipt) {
  if (transaction.state === 'mined' && transaction.minedBlockHash === blockHash) return
  await db
    .updateTable('chainTransaction')
    .set({ state: 'mined', minedHash: hash, minedBlock: block, minedBlockHash: blockHash })
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

/**
 * Another process signs with the same key, or the database is older than the chain. Signing stops until an operator
 * resumes it. The reason is checked again under the signer's lock: an operator may have resumed since this poll began.
 */
async function halt(
  { db, log, signer }: ChainContext,
  reason: string,
  stillHolds: (trx: Transaction<Database>, row: SignerRow) => Promise<boolean>,
) {
  const halted = await db.transaction().execute(async (trx) => {
    const row = await lockSigner(trx, signer.address)
    return row !== undefined && (await stillHolds(trx, row)) && (await haltSigner(trx, signer.address, reason))
  })
  if (halted) log.error({ alarm: 'signer_halted', reason }, 'signer halted until an operator resumes it')
}

export function trackWorker(context: ChainContext): Worker {
  let polledAt = Number.NEGATIVE_INFINITY
  const run = async () => {
    const open = await openTransactions(context.db, context.signer.address)
    if (open.length === 0 && performance.now() - polledAt < IDLE_POLL_MS) return false
    await context.node.confirm()
    const busy = await trackAll(context, open)
    polledAt = performance.now()
    return busy
  }
  return { name: 'chain transactions', everyMs: context.settings.pollMs, run }
}
