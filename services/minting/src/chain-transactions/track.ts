import type { Worker } from '@nifty/service-kit/worker'
import type { Transaction } from 'kysely'
import type { Block, Receipt } from '../chain/node.ts'
import { findCursor } from '../chain-index/cursor.store.ts'
import type { Database } from '../db.ts'
import { replaceIfNeeded, send } from './broadcast.ts'
import type { Lane } from './chain-context.ts'
import {
  haltLane,
  lockLane,
  lockTransaction,
  newestAttempt,
  type OpenTransaction,
  openTransactions,
  type SigningLane,
} from './chain-transaction.store.ts'
import { settle } from './finalize.ts'
import { openLane } from './queue.ts'

type Heights = { minedNonce: number; finalNonce: number; final: Block | undefined; indexedBlock: number }

/** How often the chain is asked about the key's nonces while nothing is under way. */
const IDLE_LOOK_MS = 60_000

/** Follows every open transaction until a final block says what became of its nonce. */
async function watchLane(lane: Lane, open: OpenTransaction[]): Promise<boolean> {
  const { db, node } = lane
  const { nextNonce } = await openLane(lane)
  const final = await node.finalBlock()
  const [minedNonce, finalNonce, cursor] = await Promise.all([
    node.nonceAt('latest'),
    final ? node.nonceAt(final.number) : 0,
    findCursor(db, lane.contracts.collection),
  ])
  if (finalNonce > nextNonce) {
    const reason = `The chain has ${finalNonce} transactions of the key, the store knows of ${nextNonce}`
    await halt(lane, reason, async (_, known) => finalNonce > known.nextNonce)
  }

  const heights: Heights = { minedNonce, finalNonce, final, indexedBlock: cursor?.block ?? -1 }
  let busy = false
  for (const transaction of open) if (await watchOne(lane, transaction, heights)) busy = true
  return busy
}

/** Answers true when the next look should follow at once. */
async function watchOne(lane: Lane, transaction: OpenTransaction, heights: Heights): Promise<boolean> {
  const { nonce } = transaction
  const receipt = nonce < heights.minedNonce ? await receiptOf(lane, transaction) : undefined
  if (receipt) {
    await noteMined(lane, transaction, receipt)
    const settled = heights.final && receipt.block <= heights.final.number && receipt.block <= heights.indexedBlock
    return settled ? settle(lane, transaction, receipt) : false
  }

  if (transaction.state === 'mined') await noteGone(lane, transaction)
  if (nonce < heights.finalNonce) {
    const reason = `Nonce ${nonce} was used by a transaction that is not ours`
    await halt(lane, reason, async (trx) => (await lockTransaction(trx, transaction.id)).state !== 'final')
    return false
  }
  if (nonce < heights.minedNonce) return false
  await send(lane, transaction)
  return replaceIfNeeded(lane, transaction, nonce === heights.minedNonce)
}

/** Only one attempt of a nonce can be in a block; whichever it is counts. */
async function receiptOf({ node }: Lane, transaction: OpenTransaction): Promise<Receipt | undefined> {
  for (const { hash } of transaction.attempts.toReversed()) {
    const receipt = await node.receipt(hash)
    if (receipt) return receipt
  }
}

async function noteMined({ db }: Lane, transaction: OpenTransaction, { hash, block, blockHash }: Receipt) {
  if (transaction.state === 'mined' && transaction.minedBlockHash === blockHash) return
  await db
    .updateTable('laneTransaction')
    .set({ state: 'mined', minedHash: hash, minedBlock: block, minedBlockHash: blockHash })
    .where('id', '=', transaction.id)
    .where('state', '<>', 'final')
    .execute()
}

/** Reorganised out of the chain: it is only signed again, and goes out at once. */
async function noteGone({ db, log }: Lane, transaction: OpenTransaction) {
  log.warn({ nonce: transaction.nonce, hash: newestAttempt(transaction).hash }, 'fell out of the chain, sending again')
  await db
    .updateTable('laneTransaction')
    .set({ state: 'signed', minedHash: null, minedBlock: null, minedBlockHash: null, broadcastAt: null })
    .where('id', '=', transaction.id)
    .where('state', '=', 'mined')
    .execute()
  transaction.broadcastAt = null
  transaction.state = 'signed'
}

/**
 * Somebody else signs with our key, or the database is older than the chain. Nothing is signed until a person looked.
 * A person may have resumed the lane since this look began: under its lock the reason must still hold.
 */
async function halt(
  { db, log, signer }: Lane,
  reason: string,
  stillHolds: (trx: Transaction<Database>, known: SigningLane) => Promise<boolean>,
) {
  const halted = await db.transaction().execute(async (trx) => {
    const known = await lockLane(trx, signer.address)
    return known !== undefined && (await stillHolds(trx, known)) && (await haltLane(trx, signer.address, reason))
  })
  if (halted) log.error({ alarm: 'lane_halted', reason }, 'lane halted')
}

export function laneWorker(lane: Lane): Worker {
  let lookedAt = Number.NEGATIVE_INFINITY
  const run = async () => {
    const open = await openTransactions(lane.db, lane.signer.address)
    if (open.length === 0 && performance.now() - lookedAt < IDLE_LOOK_MS) return false
    await lane.node.confirm()
    const busy = await watchLane(lane, open)
    lookedAt = performance.now()
    return busy
  }
  return { name: 'lane', everyMs: lane.settings.pollMs, run }
}
