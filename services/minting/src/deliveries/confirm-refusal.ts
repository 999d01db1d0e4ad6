import { sql } from 'kysely'
import { keyOf } from '../chain/keys.ts'
import { applyLogs } from '../chain-index/apply-logs.ts'
import { lockCursor } from '../chain-index/cursor.store.ts'
import type { Lane } from '../chain-transactions/chain-context.ts'
import { failDelivery } from './delivery.actions.ts'
import { changeDelivery, lockDelivery } from './delivery.store.ts'
import type { FailureReason, KnownDelivery } from './delivery.ts'

const LOOK_AGAIN_MS = 1_000

/**
 * The chain would refuse an unsigned line now. The newest block may yet be taken back, so the line fails only when a
 * block that came after the first refusal is final and the refusal still stands.
 */
export async function doubt(
  lane: Lane,
  { lineId, doubtedAtBlock }: KnownDelivery,
  failure: { reason: FailureReason; note: string | null },
): Promise<undefined> {
  const { db, node } = lane
  if (await finishAsAlreadyDelivered(lane, lineId)) return
  const [head, final] = await Promise.all([node.blockAt('latest'), node.finalBlock()])
  const isFinal = doubtedAtBlock !== null && final !== undefined && final.number >= doubtedAtBlock

  await db.transaction().execute(async (trx) => {
    const delivery = (await lockDelivery(trx, lineId)) as KnownDelivery
    if (delivery.state !== 'waiting') return
    if (isFinal) return failDelivery(trx, delivery, failure)
    await changeDelivery(trx, lineId, {
      doubtedAtBlock: doubtedAtBlock ?? head!.number,
      nextTryAt: sql`now() + make_interval(secs => ${Math.min(LOOK_AGAIN_MS, lane.settings.pollMs) / 1000})` as never,
      note: failure.note,
    })
  })
}

/** The chain knows the line: an older copy of this database asked for it. Its log is taken as if it came now. */
async function finishAsAlreadyDelivered({ db, node, contracts, log }: Lane, lineId: string): Promise<boolean> {
  const logged = await node.deliveredLog(keyOf(lineId))
  if (!logged) return false
  const final = await node.finalBlock()
  if (!final || logged.block > final.number) return true
  await db.transaction().execute(async (trx) => {
    await lockCursor(trx, contracts.collection)
    await applyLogs(trx, [logged], contracts, log)
  })
  return true
}
