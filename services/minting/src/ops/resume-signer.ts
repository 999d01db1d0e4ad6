import { conflict } from '@nifty/service-kit/errors'
import { lockCursor, moveCursor } from '../chain-index/cursor.store.ts'
import type { Lane } from '../chain-transactions/chain-context.ts'
import { lockLane, openTransactions } from '../chain-transactions/chain-transaction.store.ts'
import { close, settleWork } from '../chain-transactions/finalize.ts'
import { recordAction, type Signed } from './operator-action.store.ts'

/** The index reads so many blocks again after a reorganisation that went past finality. */
const READ_AGAIN_BLOCKS = 1_000

/**
 * A person has found out why the lane was halted and says: go on. Transactions whose nonce finally belongs to somebody
 * else's are given up, their work gets new nonces, and signing starts where the chain is now.
 */
export async function resumeLane(lane: Lane, signed: Signed): Promise<{ lost: number; nextNonce: number }> {
  const { db, node, signer, contracts } = lane
  const final = await node.finalBlock()
  if (!final) throw conflict('no_final_block', 'The chain has no final block yet')
  const [finalNonce, pendingNonce] = [await node.nonceAt(final.number), await node.nonceAt('pending')]

  const lost: string[] = []
  for (const { id, nonce, attempts } of await openTransactions(db, signer.address)) {
    if (nonce >= finalNonce) continue
    const receipts = await Promise.all(attempts.map(({ hash }) => node.receipt(hash)))
    if (receipts.every((receipt) => !receipt)) lost.push(id)
  }

  return db.transaction().execute(async (trx) => {
    const known = await lockLane(trx, signer.address)
    if (!known || known.haltedReason === null) throw conflict('not_halted', 'The lane is not halted')
    await recordAction(trx, 'resume-lane', signer.address, signed)
    for (const id of lost) {
      await settleWork(trx, id, 'lost')
      await close(trx, id, 'lost')
    }
    const nextNonce = Math.max(known.nextNonce, pendingNonce)
    await trx
      .updateTable('signer')
      .set({ nextNonce, haltedReason: null, haltedAt: null })
      .where('address', '=', signer.address)
      .execute()
    const cursor = await lockCursor(trx, contracts.collection)
    if (cursor.trouble !== null) {
      const block = Math.max(-1, Math.min(cursor.block, final.number) - READ_AGAIN_BLOCKS)
      await moveCursor(trx, contracts.collection, { block, blockHash: null, trouble: null })
    }
    return { lost: lost.length, nextNonce }
  })
}
