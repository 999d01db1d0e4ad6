import { setTimeout as sleep } from 'node:timers/promises'
import { keyOf } from '../chain/keys.ts'
import type { ChainEvent } from '../chain/log.ts'
import type { ChainContext } from '../chain-transactions/chain-context.ts'

/** The index is usually less than one poll behind; callers of the internal endpoints time out after 5 s. */
const WAIT_FOR_INDEX_MS = 2_000
const READ_EVERY_MS = 100

/**
 * What the chain has of a line that this database has not signed. `unused`: never delivered, read at a final block that
 * the index has passed. `unknown`: the index is behind, or the delivery is in a block that is not final.
 */
export type LineOnChain = 'unused' | 'delivered' | 'unknown'

/** The newest final block, once the index has passed it; undefined when that takes too long. */
export async function settledBlock({ node, index }: Reader): Promise<number | undefined> {
  const final = await node.finalBlock()
  if (!final) return undefined
  for (const until = performance.now() + WAIT_FOR_INDEX_MS; !(await index.hasPassed(final.number)); ) {
    if (performance.now() > until) return undefined
    await sleep(READ_EVERY_MS)
  }
  return final.number
}

/**
 * A restored database holds lines as unsigned that the chain has delivered since, so their rows alone prove nothing.
 * Throws when a node does not respond.
 */
export async function readLine(reader: Reader, lineId: string, settled?: number): Promise<LineOnChain> {
  const block = settled ?? (await settledBlock(reader))
  if (block === undefined) return 'unknown'
  const key = keyOf(lineId)
  if (await reader.node.isLineUsed(key, block)) return 'delivered'
  return (await reader.node.isLineUsed(key, 'latest')) ? 'unknown' : 'unused'
}

type Reader = Pick<ChainContext, 'node' | 'index'>

/**
 * Applies the delivery of a line once the index has passed its final block, and so the transfer of its token. Returns its log,
 * undefined while there is none.
 */
export async function applyDelivered({ node, index }: Reader, lineId: string) {
  const logged = await node.deliveredLog(keyOf(lineId))
  if (!logged || !(await index.hasPassed(logged.block))) return undefined
  await index.apply([logged])
  return { ...logged, event: logged.event as Extract<ChainEvent, { name: 'delivered' }> }
}
