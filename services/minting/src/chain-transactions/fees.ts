import { batchGas } from '@nifty/contracts/calls'
import type { Fees } from '../chain/signer.ts'
import type { Attempt } from './chain-transaction.store.ts'

/** Nodes require both fees of a replacement to be at least 10 % higher; 12.5 % leaves room for their rounding. */
const raised = (fee: bigint) => (fee * 9n + 7n) / 8n
const max = (one: bigint, other: bigint) => (one > other ? one : other)

/** Fees of the next attempt on the same nonce, in wei per gas; undefined when the cap forbids any. */
export function bump(last: Fees, current: Fees, cap: bigint): Fees | undefined {
  const maxFeePerGas = max(raised(last.maxFeePerGas), current.maxFeePerGas)
  const maxPriorityFeePerGas = max(raised(last.maxPriorityFeePerGas), current.maxPriorityFeePerGas)
  if (raised(last.maxFeePerGas) > cap || maxPriorityFeePerGas > cap) return undefined
  return { maxFeePerGas: maxFeePerGas > cap ? cap : maxFeePerGas, maxPriorityFeePerGas }
}

/**
 * A cancellation uses a fifteenth of a delivery's gas, and ends a card hold in time: at ten times the fee it still
 * costs less.
 */
const CANCELLATION_FACTOR = 10n

/** The most that an attempt may pay, in wei per gas. `maxFee`: the cap of calls. */
export const capOf = (kind: Attempt['kind'], maxFee: bigint) =>
  kind === 'cancel' ? maxFee * CANCELLATION_FACTOR : maxFee

/**
 * Fees of a first attempt, at most the cap; undefined while the base fee is above it: no block would include the
 * transaction, and what is not signed can be stopped without the chain.
 */
export const firstFees = (
  { baseFee, maxFeePerGas, maxPriorityFeePerGas }: Fees & { baseFee: bigint },
  cap: bigint,
): Fees | undefined =>
  baseFee > cap
    ? undefined
    : {
        maxFeePerGas: maxFeePerGas > cap ? cap : maxFeePerGas,
        maxPriorityFeePerGas: maxPriorityFeePerGas > cap ? cap : maxPriorityFeePerGas,
      }

/** True when no block includes the attempt at the current base fee. */
export const isPricedOut = (attempt: Fees, { baseFee }: { baseFee: bigint }) =>
  attempt.maxFeePerGas < baseFee + attempt.maxPriorityFeePerGas

/** The largest estimate whose limit, with the margin, is at most this one. */
export const withoutMargin = (gasLimit: bigint) => (gasLimit * 4n + 3n) / 5n

/**
 * The gas limit of a call with this many entries. Adds a quarter: the state may change between the estimate and the
 * block.
 */
export const withMargin = (estimate: bigint, entries = 1) => {
  const raisedEstimate = (estimate * 5n) / 4n
  return entries === 1 ? raisedEstimate : max(raisedEstimate, batchGas(entries))
}
