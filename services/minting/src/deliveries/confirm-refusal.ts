import type { ChainContext } from '../chain-transactions/chain-context.ts'
import { failDelivery } from './delivery.actions.ts'
import { lockDelivery, postponeDelivery, updateDelivery } from './delivery.store.ts'
import type { KnownDelivery } from './delivery.ts'
import { applyDelivered, readLine, settledBlock } from './line-on-chain.ts'
import type { Refusal, Simulation } from './simulate-delivery.ts'

const RETRY_IN_MS = 1_000

/**
 * Handles a refusal of an unsigned line by the newest block. A reorg may take that block back, and one node may be
 * wrong, so the line fails only when a final block refuses it too, with every node.
 */
export async function confirmRefusal(
  context: ChainContext,
  { lineId, token }: KnownDelivery,
  { refused, simulate }: { refused: Refusal; simulate: (block: number) => Promise<Simulation> },
): Promise<void> {
  const { db, settings } = context
  // A restored backup may lack a delivery that the chain has.
  if (await applyDelivered(context, { lineId, token })) return void (await postponeDelivery(db, lineId, RETRY_IN_MS))
  const block = await settledBlock(context)
  const isUnused = block !== undefined && (await readLine(context, lineId, block)) === 'unused'
  const final = isUnused ? await simulate(block) : undefined

  await db.transaction().execute(async (trx) => {
    const locked = (await lockDelivery(trx, lineId)) as KnownDelivery
    if (locked.state !== 'waiting') return
    if (final && 'refusal' in final) return failDelivery(trx, locked, final.refusal)
    await updateDelivery(trx, lineId, { note: refused.note })
    await postponeDelivery(trx, lineId, Math.min(RETRY_IN_MS, settings.pollMs))
  })
}
