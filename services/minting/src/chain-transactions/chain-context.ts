import type { Contracts } from '@nifty/contracts/log'
import type { Log } from '@nifty/service-kit/base/logs'
import type { Transaction } from 'kysely'
import type { LoggedEvent, Node } from '../chain/node.ts'
import type { Signers } from '../chain/signer.ts'
import type { Database, Db, Row } from '../db.ts'
import type { QueueLimits } from './signer.ts'

/** The dependencies of everything that reads the chain or signs for it. */
export type ChainContext = {
  db: Db
  node: Node
  /** The keys of this process. Transactions of other signers are followed too. */
  signers: Signers
  contracts: Contracts
  chainId: number
  /** Milliseconds, and wei per gas. */
  settings: {
    pollMs: number
    bumpAfterMs: number
    rebroadcastMs: number
    finalityAlarmMs: number
    maxFee: bigint
  } & QueueLimits
  log: Log
  works: Record<Row<'chainTransaction'>['kind'], Work>
  index: ChainIndex
}

/**
 * One kind of work that transactions carry: mints or deliveries. Each kind registers itself here, so that this folder
 * does not import them. Success is not among the outcomes: the index applies it from the logs of final blocks.
 */
export type Work = {
  /** Locks the work of a transaction that has no outcome yet; false when there is none. */
  lockOpen: (trx: Transaction<Database>, transactionId: string) => Promise<boolean>
  /** The transaction reverted in a final block, although the contract accepts calls of its signer. */
  reverted: (trx: Transaction<Database>, transactionId: string) => Promise<void>
  /** The nonce is used in a final block and says nothing about the work, which needs a new one. */
  cancelled: (trx: Transaction<Database>, transactionId: string) => Promise<void>
  /** A foreign transaction has the nonce in a final block: takes out the work that is past its deadline. */
  overdue: (trx: Transaction<Database>, transactionId: string) => Promise<void>
}

/** The index of final blocks, as far as transactions and deliveries use it. */
export type ChainIndex = {
  /** True when the logs of a final block are applied. False while the index is halted. */
  hasPassed: (block: number) => Promise<boolean>
  /** The last block whose logs are applied; undefined before the first one. */
  lastBlock: () => Promise<number | undefined>
  /** Applies logs of final blocks. Idempotent. */
  apply: (logs: LoggedEvent[]) => Promise<void>
  /** Stores the custody account (a key) of a user after a restore, unless either is stored with another one. */
  recoverCustody: (account: { userId: string; key: string | null }) => Promise<void>
}
