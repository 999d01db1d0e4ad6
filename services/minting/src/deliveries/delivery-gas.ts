/** The gas limit of one delivery: what the contract allows an entry of a batch, plus the transaction around it. */
export const DELIVERY_GAS = 250_000n

/** How many deliveries a balance pays for; wei, and wei per gas. */
export const deliveriesLeft = (balance: bigint, maxFeePerGas: bigint) => Number(balance / (DELIVERY_GAS * maxFeePerGas))

/** Wei required before another purchase may start: twice the maximum cost of all open and promised deliveries. */
export const gasReserve = (openCost: bigint, promised: number, maxFeePerGas: bigint) =>
  2n * (openCost + BigInt(promised) * DELIVERY_GAS * maxFeePerGas)
