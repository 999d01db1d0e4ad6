import type { ChainState } from './ops.ts'

/** Why new purchases are refused, for operators. */
export const purchaseRefusals: Record<NonNullable<ChainState['refusal']>, string> = {
  chain_late: 'the newest block is older than ten minutes',
  finality_late: 'the newest final block that is indexed is older than ten minutes',
  fee_cap: 'the base fee is above CHAIN_MAX_FEE_GWEI, and nothing is signed',
}
