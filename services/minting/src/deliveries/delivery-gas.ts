import { GAS_PER_ENTRY } from '@nifty/contracts/calls'

/** How many deliveries a balance certainly pays for; wei, and wei per gas. Without fees no limit is reached. */
export const deliveriesLeft = (balance: bigint, maxFeePerGas: bigint) =>
  maxFeePerGas === 0n ? Number.MAX_SAFE_INTEGER : Number(balance / (GAS_PER_ENTRY * maxFeePerGas))

/** Wei required before another purchase may start: twice the maximum cost of all open and promised deliveries. */
export const gasReserve = (openCost: bigint, promised: number, maxFeePerGas: bigint) =>
  2n * (openCost + BigInt(promised) * GAS_PER_ENTRY * maxFeePerGas)

/** A quiet shop may sell a whole exhibition at once. */
const DELIVERIES_OF_A_QUIET_HOUR = 10

/** How many hours that many deliveries last at a rate per hour, which counts as ten at least. */
export const hoursLeft = (deliveries: number, perHour: number) =>
  deliveries / Math.max(perHour, DELIVERIES_OF_A_QUIET_HOUR)
