/** How many tokens one signer moves and mints in a clock hour, at most. */
export type HourlyLimits = { movesPerHour: number; mintsPerHour: number }

/** Of the name in UTF-8: OpenZeppelin's EIP712 keeps it in one word, and the deployment of a longer one reverts. */
export const MAX_NAME_BYTES = 31

/** What a deployment sets: name and symbol of the collection for ever, the limits until the owner changes them. */
export type ContractSettings = HourlyLimits & { name: string; symbol: string }

/** `CHAIN_MOVES_PER_HOUR` and `CHAIN_MINTS_PER_HOUR` of a real chain; how to choose them: `deploy/CAPACITY.md`. */
export const DEFAULT_LIMITS: HourlyLimits = { movesPerHour: 200, mintsPerHour: 500 }

/** Of chains on one machine: local stores, tests, bench and chaos. */
export const LOCAL_SETTINGS: ContractSettings = {
  name: 'Nifty',
  symbol: 'NIFTY',
  movesPerHour: 20_000,
  mintsPerHour: 20_000,
}
