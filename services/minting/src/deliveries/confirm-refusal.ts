import { sql } from 'kysely'
import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { failDelivery } from './delivery.actions.ts'
import { lockDelivery, updateDelivery } from './delivery.store.ts'
import type { FailureReason, KnownDelivery } from './delivery.ts'
import { applyDelivered, readLine } from './line-on-chain.ts'

const RETRY_IN_MS = 1_000

/**
 * Handles a refusal of an unsigned line by the newest block. A reorg may take that block back, so the line fails only
 * when a block after the first refusal is final and the refusal still stands.
 */
export async function confirmRefusal(
  context: ChainContext,
  { lineId, refusedAtBlock }: KnownDelivery,
  failure: { reason: FailureReason; note: string | null },
): Promise<undefined> {
  const { db, node, settings } = context
  // A restored backup may lack a delivery that the chain has.
  if (await applyDelivered(context, lineId)) return
  const [head, final] = await Promise.all([node.blockAt('latest'), node.finalBlock()])
  const isFinal =
    refusedAtBlock !== null &&
    final !== undefined &&
    final.number >= refusedAtBlock &&
    (await readLine(context, lineId)) === 'unused'

  await db.transaction().execute(async (trx) => {
    const delivery = (await lockDelivery(trx, lineId)) as KnownDelivery
    if (delivery.state !== 'waiting') return
    if (isFinal) return failDelivery(trx, delivery, failure)
    await updateDelivery(trx, lineId, {
      refusedAtBlock: refusedAtBlock ?? head!.number,
      nextAttemptAt: sql`now() + make_interval(secs => ${Math.min(RETRY_IN_MS, settings.pollMs) / 1000})` as never,
      note: failure.note,
    })
  })
}
