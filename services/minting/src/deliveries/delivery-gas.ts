/** The most that one delivery may use: less than what the contract gives to an entry of a batch. */
export const DELIVERY_GAS = 250_000n

/** How many deliveries a balance pays for; wei, and wei per gas. */
export const deliveriesLeft = (balance: bigint, maxFeePerGas: bigint) => Number(balance / (DELIVERY_GAS * maxFeePerGas))

/** Wei required before another purchase may start: twice the maximum cost of all open and promised deliveries. */
export const gasReserve = (openCost: bigint, promised: number, maxFeePerGas: bigint) =>
  2n * (openCost + BigInt(promised) * DELIVERY_GAS * maxFeePerGas)
