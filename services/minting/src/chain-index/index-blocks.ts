import type { Block } from '../chain/node.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { sharedForMs } from '../chain-transactions/recent-reads.ts'
import { haltAllSigners, lockSigners } from '../chain-transactions/signer.store.ts'
import { applyLogs } from './apply-logs.ts'
import { type Cursor, lockCursor, readIndex, updateCursor } from './cursor.store.ts'

/** Per run: more logs would hold the locks of the transaction too long. */
const MAX_LOGS = 200

/**
 * Applies the logs of the next final blocks. The cursor advances in the same transaction, so a killed service resumes
 * at the same block. Returns true when more final blocks are waiting.
 */
async function indexNextBlocks(context: ChainContext, cursor: Cursor): Promise<boolean> {
  const { db, node, contracts, log } = context
  const final = await node.finalBlock({ maxAgeMs: sharedForMs(context.settings) })
  if (!final) return false
  if (await isReplaced(context, cursor, final)) {
    await haltOnReorg(context, cursor)
    return false
  }
  if (final.number <= cursor.block) return false

  const from = cursor.block + 1
  let { logs, last: to } = await node.logs({ from, to: final.number })
  if (logs.length > MAX_LOGS) {
    // Only whole blocks; a single block above the limit is applied at once.
    to = Math.max(from, logs[MAX_LOGS]!.block - 1)
    logs = logs.filter(({ block }) => block <= to)
  }
  const last = to === final.number ? final : await node.agreedBlock(to)
  if (!last) return false

  return db.transaction().execute(async (trx) => {
    if ((await lockCursor(trx, contracts.collection)).block !== cursor.block) return true
    await applyLogs(trx, logs, contracts, log)
    await updateCursor(trx, contracts.collection, { block: to, blockHash: last.hash, haltedReason: null })
    return to < final.number
  })
}

/** A node that is behind does not have the block; that is no reorg. */
async function isReplaced({ node }: ChainContext, { block, blockHash }: Cursor, final: Block): Promise<boolean> {
  if (!blockHash || (final.number === block + 1 && final.parentHash === blockHash)) return false
  const indexed = final.number === block ? final : await node.agreedBlock(block)
  return indexed !== undefined && indexed.hash !== blockHash
}

/** A final block was replaced: the index and all signers stop until an operator resumes them. */
async function haltOnReorg({ db, contracts, log }: ChainContext, seen: Cursor) {
  const reason = `Block ${seen.block} was final and is now another one`
  await db.transaction().execute(async (trx) => {
    await lockSigners(trx)
    // An operator may have reset the cursor since it was read.
    if ((await lockCursor(trx, contracts.collection)).blockHash !== seen.blockHash) return
    log.error({ alarm: 'reorg_past_finality', block: seen.block }, reason)
    await haltAllSigners(trx, reason)
    await updateCursor(trx, contracts.collection, { haltedReason: reason })
  })
}

/**
 * While nothing is open, the chain is read at each poll of this number, for what the owners of tokens do there: each
 * read is several RPC calls.
 */
const IDLE_POLLS = 6

/** Reads the chain at every poll while something is open, and seldom otherwise. */
export function createIndexer(context: ChainContext) {
  const { db, node, contracts, log, settings } = context
  let nextAt = 0
  let alarmedSince: number | undefined
  const alarmIfWaiting = () => {
    const wait = node.finalityWait()
    if (!wait || wait.since === alarmedSince || performance.now() - wait.since < settings.finalityAlarmMs) return
    alarmedSince = wait.since
    log.error({ alarm: 'finality_waiting' }, `index: no new final block for 5 minutes, waiting: ${wait.reason}`)
  }
  return async (): Promise<boolean> => {
    const { cursor, hasOpenWork } = await readIndex(db, contracts.collection)
    if (!cursor || (!hasOpenWork && performance.now() < nextAt)) return false
    nextAt = performance.now() + IDLE_POLLS * settings.pollMs
    const more = await indexNextBlocks(context, cursor).finally(alarmIfWaiting)
    if (more) nextAt = 0
    return more
  }
}
