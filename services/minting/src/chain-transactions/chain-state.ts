import type { ChainState } from '@nifty/api/minting/ops'
import type { ChainContext } from './chain-context.ts'

/** A delivery takes minutes: with blocks older than this the chain, its finality or the index stands still. */
export const LATE_AFTER_MS = 10 * 60_000

/**
 * How far the newest block and the newest indexed one are behind, and the base fee. The index is never ahead of the
 * final blocks, so its age is also that of finality. Throws while no node responds.
 */
export async function readChainState({
  node,
  index,
  settings,
}: Pick<ChainContext, 'node' | 'index' | 'settings'>): Promise<ChainState> {
  const last = await index.lastBlock()
  const [head, indexed] = await Promise.all([
    node.blockAt('latest'),
    last === undefined ? undefined : node.blockAt(last),
  ])
  const state = {
    headAgeSeconds: head ? ageOf(head) : null,
    indexAgeSeconds: indexed ? ageOf(indexed) : null,
    baseFeeGwei: head ? gweiOf(head.baseFee) : null,
    maxFeeGwei: gweiOf(settings.maxFee),
  }
  return { ...state, refusal: refusalOf(state) }
}

const ageOf = ({ at }: { at: Date }) => Math.max(0, (Date.now() - at.getTime()) / 1_000)

const GWEI = 10 ** 9
const gweiOf = (wei: bigint) => Number(wei) / GWEI

/** Why no purchase starts; null while a delivery could be made. */
export function refusalOf({
  headAgeSeconds,
  indexAgeSeconds,
  baseFeeGwei,
  maxFeeGwei,
}: Omit<ChainState, 'refusal'>): ChainState['refusal'] {
  const isLate = (seconds: number | null) => seconds === null || seconds * 1_000 > LATE_AFTER_MS
  if (isLate(headAgeSeconds)) return 'chain_late'
  if (isLate(indexAgeSeconds)) return 'finality_late'
  return baseFeeGwei !== null && baseFeeGwei > maxFeeGwei ? 'fee_cap' : null
}
