import type { MessagingTables } from '@nifty/service-kit/messaging/tables'
import type { Generated, Kysely, Selectable } from 'kysely'

export type Database = MessagingTables & {
  account: {
    userId: string
    version: number
    username: string
    admin: boolean
    suspended: boolean
    wallet: string | null
    walletProven: boolean
    changedAt: Date
    deleted: Generated<boolean>
  }
  custodyAccount: { account: Generated<string>; userId: string }
  signer: { address: string; nextNonce: number; haltedReason: string | null; haltedAt: Date | null }
  laneTransaction: {
    id: Generated<string>
    signer: string
    nonce: number
    kind: 'mint' | 'delivery'
    state: Generated<'signed' | 'mined' | 'final'>
    outcome: 'succeeded' | 'reverted' | 'cancelled' | 'lost' | null
    gasLimit: number
    callTo: string
    callData: string
    minedHash: string | null
    minedBlock: number | null
    minedBlockHash: string | null
    signedAt: Generated<Date>
    broadcastAt: Date | null
    bumpAsked: Generated<boolean>
    finalAt: Date | null
    recheckedAt: Date | null
    traceparent: Generated<string | null>
  }
  attempt: {
    hash: string
    transactionId: string
    number: number
    kind: 'call' | 'cancel'
    raw: string
    /** Wei per gas, decimal. */
    maxFeePerGas: string
    maxPriorityFeePerGas: string
    createdAt: Generated<Date>
  }
  mint: {
    id: string
    creatorId: string
    idempotencyKey: string | null
    requestHash: string
    state: Generated<'accepted' | 'minting' | 'minted' | 'failed'>
    name: string
    description: string
    category: string
    priceCents: number | null
    file: string
    width: number
    height: number
    color: string
    sha256: string
    /** Lower case; null is the store's custody. */
    wallet: string | null
    royaltyBps: number
    royaltyWallet: string | null
    contract: string
    transactionId: string | null
    alone: Generated<boolean>
    identifier: string | null
    txHash: string | null
    failure: string | null
    createdAt: Generated<Date>
  }
  delivery: {
    lineId: string
    kind: 'sale' | 'withdrawal'
    state: Generated<'waiting' | 'signed' | 'final' | 'failed' | 'stopped'>
    orderId: string | null
    itemId: string | null
    token: string | null
    fromId: string | null
    buyerId: string | null
    wallet: string | null
    deliverBy: Date | null
    transactionId: string | null
    /** Goes in a transaction of its own: the batch it was in reverted as a whole. */
    alone: Generated<boolean>
    /** The newest block when the chain first said that it would refuse. */
    doubtedAtBlock: number | null
    nextTryAt: Generated<Date>
    reason: string | null
    note: string | null
    txHash: string | null
    block: number | null
    traceparent: Generated<string | null>
    createdAt: Generated<Date>
    changedAt: Generated<Date>
  }
  strayDelivery: { lineKey: string; token: string; recipient: string; txHash: string; block: number; at: Date }
  operatorAction: {
    id: Generated<string>
    action: string
    subject: string
    who: string
    why: string
    at: Generated<Date>
  }
  permit: {
    token: string
    wallet: string
    nonce: string
    deadline: Date
    signature: string
    createdAt: Generated<Date>
  }
  token: {
    token: string
    contract: string
    identifier: string
    mintId: string | null
    wallet: string | null
    custodyAccount: string | null
    deliveredTo: string | null
    ownerId: string | null
    position: Generated<number>
    announcedPosition: Generated<number>
    txHash: string | null
    movedAt: Date | null
  }
  chainCursor: { collection: string; block: number; blockHash: string | null; trouble: string | null }
  listedToken: { token: string }
}

export type Db = Kysely<Database>
/** A table's row as it is read. */
export type Row<Table extends keyof Database> = Selectable<Database[Table]>
