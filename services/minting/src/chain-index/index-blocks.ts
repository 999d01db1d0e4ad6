import type { Worker } from '@nifty/service-kit/worker'
import type { Lane } from '../chain-transactions/chain-context.ts'
import { haltLane, lockLane } from '../chain-transactions/chain-transaction.store.ts'
import { applyLogs } from './apply-logs.ts'
import { type Cursor, findCursor, lockCursor, moveCursor } from './cursor.store.ts'

/** Nodes answer so many blocks at once, and one transaction takes so many logs before its locks last too long. */
const BLOCKS_AT_ONCE = 2_000
const LOGS_AT_ONCE = 200

/**
 * Reads the next final blocks. The cursor moves in the transaction that applies their logs, so that a killed service
 * goes on exactly where it was. Answers true when there is more to read.
 */
export async function follow(lane: Lane): Promise<boolean> {
  const { db, node, contracts, log } = lane
  await node.confirm()
  const cursor = await findCursor(db, contracts.collection)
  const final = await node.finalBlock()
  if (!cursor || !final) return false
  if (cursor.blockHash && (await node.blockAt(cursor.block))?.hash !== cursor.blockHash) {
    await stopForReorg(lane, cursor)
    return false
  }
  if (final.number <= cursor.block) return false

  const from = cursor.block + 1
  let to = Math.min(final.number, from + BLOCKS_AT_ONCE - 1)
  let logs = await node.logs({ from, to })
  if (logs.length > LOGS_AT_ONCE) {
    // Whole blocks only; a block that is larger by itself is taken as it is.
    to = Math.max(from, logs[LOGS_AT_ONCE]!.block - 1)
    logs = logs.filter(({ block }) => block <= to)
  }
  const last = to === final.number ? final : await node.blockAt(to)
  if (!last) return false

  return db.transaction().execute(async (trx) => {
    if ((await lockCursor(trx, contracts.collection)).block !== cursor.block) return true
    await applyLogs(trx, logs, contracts, log)
    await moveCursor(trx, contracts.collection, { block: to, blockHash: last.hash, trouble: null })
    return to < final.number
  })
}

/** Applies one final block once more, for logs that a node did not show the first time. */
export async function readAgain({ db, node, contracts, log }: Lane, block: number) {
  const logs = await node.logs({ from: block, to: block })
  await db.transaction().execute(async (trx) => {
    await lockCursor(trx, contracts.collection)
    await applyLogs(trx, logs, contracts, log)
  })
}

/** What was final is gone. Nothing more is announced or signed on such ground until a person looked. */
async function stopForReorg({ db, signer, contracts, log }: Lane, seen: Cursor) {
  const reason = `Block ${seen.block} was final and is now another one`
  await db.transaction().execute(async (trx) => {
    await lockLane(trx, signer.address)
    // A person may have sent the index back since this look began.
    if ((await lockCursor(trx, contracts.collection)).blockHash !== seen.blockHash) return
    log.error({ alarm: 'reorg_past_finality', block: seen.block }, reason)
    await haltLane(trx, signer.address, reason)
    await moveCursor(trx, contracts.collection, { trouble: reason })
  })
}

export const followWorker = (lane: Lane): Worker => ({
  name: 'index',
  everyMs: lane.settings.pollMs,
  run: () => follow(lane),
})
