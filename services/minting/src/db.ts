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
    deletedAt: Generated<Date | null>
    /** SHA-256 (hex) of the code that hands back the works in custody of a deleted account. */
    handBackHash: Generated<string | null>
  }
  custodyAccount: { account: Generated<string>; userId: string }
  signer: {
    address: string
    state: Generated<'active' | 'draining' | 'retired'>
    nextNonce: number
    /** The newest block in which it had its roles when it signed. */
    roleBlock: number | null
    /** The final block in which it had its roles no more. */
    retiredBlock: number | null
    haltedReason: string | null
    haltedAt: Date | null
  }
  chainTransaction: {
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
    receiptMissingSince: number | null
    signedAt: Generated<Date>
    broadcastAt: Date | null
    bumpRequested: Generated<boolean>
    finalAt: Date | null
    auditedAt: Date | null
    auditAttemptedAt: Generated<Date | null>
    traceparent: Generated<string | null>
  }
  auditFinding: { transactionId: string; foundAt: Generated<Date>; closedAt: Date | null }
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
    /** Lower case; null means custody. */
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
    kind: 'sale' | 'withdrawal' | 'gift'
    state: Generated<'waiting' | 'signed' | 'final' | 'failed' | 'stopped'>
    orderId: string | null
    itemId: string | null
    token: string | null
    fromId: string | null
    buyerId: string | null
    /** The recipient: a wallet (lower case) or a custody account. */
    wallet: string | null
    custodyAccount: string | null
    deliverBy: Date | null
    transactionId: string | null
    /** Gets a transaction of its own: its batch reverted as a whole. */
    alone: Generated<boolean>
    nextAttemptAt: Generated<Date>
    reason: string | null
    note: string | null
    txHash: string | null
    block: number | null
    /** When a sale was captured or written off. */
    paidAt: Date | null
    traceparent: Generated<string | null>
    createdAt: Generated<Date>
    changedAt: Generated<Date>
  }
  unexpectedDelivery: {
    lineKey: string
    token: string
    recipient: string
    /** The key of a custody account, of a delivery into custody. */
    account: string | null
    txHash: string
    block: number
    at: Date
    closedAt: Generated<Date | null>
  }
  permit: {
    token: string
    ownerId: string
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
    publishedPosition: Generated<number>
    txHash: string | null
    movedAt: Date | null
    /** Set by the database, when the owner changes; null: since `movedAt`. */
    ownerSince: Generated<Date | null>
    changedAt: Generated<Date>
  }
  chainCursor: { collection: string; block: number; blockHash: string | null; haltedReason: string | null }
  gift: {
    id: string
    giverId: string
    token: string
    name: string
    /** The line of the sale that bought it, and its order; null for a work that the giver owned. */
    lineId: string | null
    orderId: string | null
    /** Null a month after the gift ended. */
    email: string | null
    text: string
    state: Generated<'bought' | 'offered' | 'claimed' | 'taken_back' | 'refunded' | 'lapsed' | 'ended'>
    /** When the link of a bought gift is mailed at the earliest. */
    offerFrom: Generated<Date>
    offeredAt: Date | null
    until: Date | null
    /** The claim that has, or may have, the work: its delivery and who claimed. */
    deliveryId: string | null
    recipientId: string | null
    /** The purchase was refunded while the last claim had no outcome: the gift ends if that fails. */
    refunded: Generated<boolean>
    /** The giver was suspended, frozen or deleted meanwhile: the gift is taken back if the last claim fails. */
    takeBack: Generated<boolean>
    /** Why the link of a paid gift is not mailed yet. */
    waitsFor: 'mail_limit' | 'contest' | null
    createdAt: Generated<Date>
    changedAt: Generated<Date>
  }
  /** Of mailed links, the newest of which is valid. `recipient` is empty a day later. */
  giftLink: { tokenHash: string; giftId: string; recipient: string; number: number; createdAt: Generated<Date> }
  certificateLink: {
    /** SHA-256 (hex) of the secret in the link. */
    secretHash: string
    token: string
    ownerId: string
    /** The secret, encrypted; null once the link is dead. */
    sealedSecret: string | null
    ended: Generated<'renewed' | 'switched_off' | null>
    madeAt: Generated<Date>
  }
  listedToken: { token: string }
  contestedLine: { lineId: string; token: string; buyerId: string; contested: boolean; at: Date }
  tokenCheck: { token: string; checkedAt: Date }
}

export type Db = Kysely<Database>
export type Row<Table extends keyof Database> = Selectable<Database[Table]>
