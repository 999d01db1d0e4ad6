import type { Log } from '@nifty/service-kit/logs'
import type { Contracts } from '../chain/log.ts'
import type { Node } from '../chain/node.ts'
import type { Signer } from '../chain/signer.ts'
import type { Db } from '../db.ts'

/** What everything that happens on the chain needs. */
export type Lane = {
  db: Db
  node: Node
  signer: Signer
  contracts: Contracts
  chainId: number
  settings: { pollMs: number; bumpAfterMs: number; rebroadcastMs: number; maxFee: bigint }
  log: Log
}

/** Nodes keep only so many transactions of one key waiting; more would be dropped. */
export const MAX_OPEN_TRANSACTIONS = 16

/** What one delivery may need at most, as the contract bounds an entry of a batch, with the transaction around it. */
export const DELIVERY_GAS = 250_000n

/** How many deliveries a balance pays, in wei and wei per gas. */
export const deliveriesLeft = (balance: bigint, maxFeePerGas: bigint) => Number(balance / (DELIVERY_GAS * maxFeePerGas))

/** Wei that must be there before another purchase may start: twice what everything promised can cost. */
export const gasReserve = (openCost: bigint, promised: number, maxFeePerGas: bigint) =>
  2n * (openCost + BigInt(promised) * DELIVERY_GAS * maxFeePerGas)
