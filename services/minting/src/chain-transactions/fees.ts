import type { Fees } from '../chain/signer.ts'

/** Nodes take a replacement only with both fees at least a tenth higher; an eighth leaves room for their rounding. */
const raised = (fee: bigint) => (fee * 9n + 7n) / 8n
const larger = (one: bigint, other: bigint) => (one > other ? one : other)

/** Fees of the next attempt at the same nonce, in wei per gas; undefined when the cap forbids any. */
export function bump(last: Fees, wanted: Fees, cap: bigint): Fees | undefined {
  const maxFeePerGas = larger(raised(last.maxFeePerGas), wanted.maxFeePerGas)
  const maxPriorityFeePerGas = larger(raised(last.maxPriorityFeePerGas), wanted.maxPriorityFeePerGas)
  if (raised(last.maxFeePerGas) > cap || maxPriorityFeePerGas > cap) return undefined
  return { maxFeePerGas: maxFeePerGas > cap ? cap : maxFeePerGas, maxPriorityFeePerGas }
}

/** Fees of a first attempt, never above the cap. */
export const withinCap = ({ maxFeePerGas, maxPriorityFeePerGas }: Fees, cap: bigint): Fees => ({
  maxFeePerGas: maxFeePerGas > cap ? cap : maxFeePerGas,
  maxPriorityFeePerGas: maxPriorityFeePerGas > cap ? cap : maxPriorityFeePerGas,
})

/** True when no block would take it at today's prices. */
export const isPricedOut = (attempt: Fees, { baseFee }: { baseFee: bigint }) =>
  attempt.maxFeePerGas < baseFee + attempt.maxPriorityFeePerGas

/** Room for what changes between the estimate and the block. */
export const withMargin = (gas: bigint) => (gas * 5n) / 4n
