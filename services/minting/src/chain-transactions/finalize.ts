import { sql, type Transaction } from 'kysely'
import type { Receipt } from '../chain/node.ts'
import { readAgain } from '../chain-index/index-blocks.ts'
import type { Database } from '../db.ts'
import { putDeliveriesBack, settleReverted } from '../deliveries/delivery.actions.ts'
import { lockDeliveriesOf } from '../deliveries/delivery.store.ts'
import { putMintsBack, settleRevertedMints } from '../mints/mint.actions.ts'
import { lockMintsOf } from '../mints/mint.store.ts'
import type { Lane } from './chain-context.ts'
import { type LaneTransaction, lockTransaction, type OpenTransaction } from './chain-transaction.store.ts'

/**
 * A final block has one of the attempts. What succeeded was settled from the logs by the index, which is ahead of us
 * here; what reverted or was cancelled is settled now. Answers true when the transaction is over.
 */
export async function settle(lane: Lane, transaction: OpenTransaction, receipt: Receipt): Promise<boolean> {
  const attempt = transaction.attempts.find(({ hash }) => hash === receipt.hash)!
  const called = receipt.succeeded ? 'succeeded' : 'reverted'
  const outcome = attempt.kind === 'cancel' ? 'cancelled' : called

  const settled = await lane.db.transaction().execute(async (trx) => {
    if ((await lockTransaction(trx, transaction.id)).state === 'final') return true
    if (outcome === 'succeeded' && (await hasOpenWork(trx, transaction.id))) return false
    if (outcome !== 'succeeded') await settleWork(trx, transaction.id, outcome)
    await close(trx, transaction.id, outcome)
    return true
  })
  if (!settled) {
    lane.log.error({ alarm: 'log_missing', hash: receipt.hash }, 'a final receipt without its logs, reading again')
    await readAgain(lane, receipt.block)
  }
  return settled
}

/** What a transaction that did not do its work leaves behind. `lost`: an operator declared its nonce taken by another. */
export async function settleWork(
  trx: Transaction<Database>,
  transactionId: string,
  outcome: 'reverted' | 'cancelled' | 'lost',
) {
  const deliveries = await lockDeliveriesOf(trx, transactionId)
  const mints = await lockMintsOf(trx, transactionId)
  if (outcome === 'reverted') {
    await settleReverted(trx, deliveries)
    await settleRevertedMints(trx, mints)
  } else {
    await putDeliveriesBack(trx, deliveries)
    await putMintsBack(trx, mints, {})
  }
}

async function hasOpenWork(trx: Transaction<Database>, transactionId: string) {
  const deliveries = await lockDeliveriesOf(trx, transactionId)
  const mints = await lockMintsOf(trx, transactionId)
  return deliveries.length + mints.length > 0
}

export const close = (trx: Transaction<Database>, id: string, outcome: LaneTransaction['outcome']) =>
  trx
    .updateTable('laneTransaction')
    .set({ state: 'final', outcome, finalAt: sql`now()` })
    .where('id', '=', id)
    .execute()
