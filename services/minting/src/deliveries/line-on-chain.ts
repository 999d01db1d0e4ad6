import { keyOf } from '../chain/keys.ts'
import type { ChainEvent } from '../chain/log.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'

/**
 * What the chain has of a line that this database has not signed. `unused`: never delivered, read at a final block that
 * the index has passed. `unknown`: the index is behind, or the delivery is in a block that is not final.
 */
export type LineOnChain = 'unused' | 'delivered' | 'unknown'

/**
 * A restored database holds lines as unsigned that the chain has delivered since, so their rows alone prove nothing.
 * Throws when the node does not respond.
 */
export async function readLine({ node, index }: Reader, lineId: string): Promise<LineOnChain> {
  const final = await node.finalBlock()
  if (!final || !(await index.hasPassed(final.number))) return 'unknown'
  const key = keyOf(lineId)
  if (await node.isLineUsed(key, final.number)) return 'delivered'
  return (await node.isLineUsed(key, 'latest')) ? 'unknown' : 'unused'
}

type Reader = Pick<ChainContext, 'node' | 'index'>

/** Applies the delivery of a line once its block is final. Returns its log, undefined while there is none. */
export async function applyDelivered({ node, index }: Reader, lineId: string) {
  const logged = await node.deliveredLog(keyOf(lineId))
  if (!logged) return undefined
  const event = logged.event as Extract<ChainEvent, { name: 'delivered' }>
  const final = await node.finalBlock()
  const isFinal = final !== undefined && logged.block <= final.number
  if (isFinal) await index.apply([logged])
  return { ...logged, event, isFinal }
}
