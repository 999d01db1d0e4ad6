import type { OfferDays } from '@nifty/api/offer-days'
import type { DeclineReason } from '@nifty/api/payments/decline'
import type { OrderKind } from '@nifty/api/payments/public'
import type { MessagingTables } from '@nifty/service-kit/messaging/tables'
import type { ColumnType, Generated, Selectable } from 'kysely'
import type { Bearer, EntryCause, EntryKind, ReversalKind } from './books/book.ts'
import type { LineState, Reason } from './orders/line.ts'
import type { Gift } from './purchases/gift.ts'
import type { DifferenceKind, StepName, Sums } from './reconciliation/reconciliation.ts'
import type { ContestStage } from './reversals/reversal.ts'

type WrittenOnce<Value> = ColumnType<Value, Value, never>
type CreatedAt = ColumnType<Date, never, never>

/** Where the money of an order is. `released`: we cancelled the hold. `lapsed`: the card's own deadline ended it. */
export type Money = 'none' | 'held' | 'captured' | 'released' | 'lapsed'

/**
 * Who requested the cancellation. `seller`, `account` (the buyer's was deleted), `timeout` (the start took too long)
 * and `declines` (of too many cards) cancel unpaid orders only. The others also stop what is paid: `buyer` what minting
 * has not signed, and while the chain is late what no block has; `operator`, `dispute` and `suspension` (of the seller)
 * both at once.
 */
export type CancelRequestedBy =
  | 'seller'
  | 'account'
  | 'timeout'
  | 'declines'
  | 'buyer'
  | 'operator'
  | 'dispute'
  | 'suspension'

type OrdersTable = {
  id: WrittenOnce<string>
  orderKind: ColumnType<OrderKind, OrderKind | undefined, never>
  /** For how long an offer can be accepted once its card is held; null for a purchase. */
  days: ColumnType<OfferDays | null, OfferDays | undefined, never>
  /** The bidder has confirmed an unusual amount. */
  sure: ColumnType<boolean, boolean | undefined, never>
  /**
   * Until when a held offer can be accepted, or a bid has to be decided; null until catalog has it with its hold.
   */
  decideBy: Date | null
  /** Of a bid, once catalog has it with its hold. */
  auctionId: string | null
  buyerId: WrittenOnce<string>
  /** Null: into custody for the buyer. */
  wallet: WrittenOnce<string | null>
  /** Bought for another person. */
  isGift: Generated<boolean>
  /** Until the card is held: minting has it from then on. */
  gift: Gift | null
  termsVersion: WrittenOnce<string>
  /** The sum that the card is held for. An offer may be accepted, and a bid win, for less: the line has the price. */
  totalCents: WrittenOnce<number>
  commissionBps: WrittenOnce<number>
  createdAt: ColumnType<Date, Date | undefined, never>
  /** When the order was rebuilt from its session, which a restored database did not have. */
  rebuiltAt: ColumnType<Date | null, Date | undefined, never>
  expiresAt: WrittenOnce<Date>
  /** JSON text when written. */
  sessionRequest: ColumnType<unknown, string | null, string | null>
  sessionRequestedAt: Date | null
  /** Part of the idempotency key: 1 for the first parameters, 2 for those that replaced them. */
  sessionNumber: Generated<number>
  sessionId: string | null
  sessionUrl: string | null
  intentId: string | null
  money: Generated<Money>
  heldCents: Generated<number>
  /** When the delivery began: of a purchase with the hold, of an offer when it was accepted, of a bid when it won. */
  authorisedAt: Date | null
  deliverBy: Date | null
  captureBefore: Date | null
  captureCents: number | null
  captureAttempt: Generated<number>
  captureRequestedAt: Date | null
  capturedCents: Generated<number>
  cancelRequestedBy: CancelRequestedBy | null
  declined: DeclineReason | null
  nextRunAt: Date | null
  nextRunIsPoll: Generated<boolean>
  failures: Generated<number>
  traceparent: ColumnType<string | null, string | null | undefined, never>
  unreconciledChanges: Generated<number>
}

type LineTable = {
  id: WrittenOnce<string>
  orderId: WrittenOnce<string>
  position: WrittenOnce<number>
  buyerId: WrittenOnce<string>
  /** `createdAt` of the order. */
  orderedAt: ColumnType<Date, Date | undefined, never>
  itemId: WrittenOnce<string>
  /** Of an order whose card is held before its sale is decided. */
  conditional: ColumnType<boolean, boolean | undefined, never>
  /** Of an offer or a bid, the most that it costs, until it is accepted or has won. */
  priceCents: number
  capturedCents: Generated<number>
  state: Generated<LineState>
  reason: Reason | null
  note: string | null
  txHash: string | null
  contract: string | null
  identifier: string | null
  name: string | null
  image: string | null
  sellerId: string | null
  sellerUsername: string | null
  creatorId: string | null
  royaltyBps: number | null
  listingVersion: number | null
}

/** The first three are null, or none is. The end counts only beside them: a former release does not clear it. */
export type Acknowledged = {
  acknowledgedAt: ColumnType<Date | null, never>
  acknowledgedBy: ColumnType<string | null, never>
  acknowledgedReason: ColumnType<string | null, never>
  acknowledgedUntil: ColumnType<Date | null, never>
}

export type Database = MessagingTables & {
  sessionScan: { readUntil: Date }
  orders: OrdersTable
  salesPause: { id: Generated<boolean>; until: Date; operator: string; reason: string; at: Generated<Date> }
  orderNetwork: { orderId: string; network: string; createdAt: CreatedAt }
  line: LineTable
  lineTransition: { fromState: LineState; toState: LineState }
  lineHistory: {
    id: Generated<number>
    lineId: string
    fromState: LineState | null
    toState: LineState
    at: CreatedAt
    note: string | null
  }
  cardCustomer: {
    userId: string
    customerId: string | null
    number: Generated<number>
    since: Generated<Date>
    forgetRequestedAt: Date | null
    accountDeleted: Generated<boolean>
    dueAt: Generated<Date>
    failures: Generated<number>
    emailDigest: string | null
  }
  cardCustomerCreation: {
    userId: string
    number: number
    email: string | null
    requestedAt: Generated<Date>
    dueAt: Generated<Date>
    failures: Generated<number>
  }
  processorAccount: { accountId: string; livemode: boolean; firstSeenAt: CreatedAt }
  termsVersion: {
    version: string
    firstDay: Generated<Date>
    replacedAt: Date | null
    effectiveDay: string | null
    text: string | null
  }
  payout: { id: string; userId: string; amountCents: number; operator: string; reason: string; at: CreatedAt }
  payoutReturn: { payoutId: string; operator: string; reason: string; at: CreatedAt }
  bookEntry: {
    id: Generated<number>
    lineId: string
    kind: EntryKind
    userId: string | null
    amountCents: number
    cause: EntryCause
    reversalId: string | null
    at: CreatedAt
    payoutId: string | null
  }
  refund: {
    id: string
    lineId: string
    amountCents: number
    state: Generated<'requested' | 'succeeded' | 'failed'>
    attempt: Generated<number>
    processorId: string | null
    error: string | null
    requestedAt: Generated<Date>
    resolvedAt: Date | null
    dueAt: Generated<Date>
    failures: Generated<number>
  }
  reversal: {
    id: string
    kind: ReversalKind
    orderId: string
    refundId: string | null
    status: string
    reason: string | null
    amountCents: number | null
    withdrawnCents: Generated<number>
    createdAt: Date
    /** Null until an operator decides: the platform has the loss in the books, and the shares are held back. */
    borneBy: ColumnType<Bearer | null, Bearer | null | undefined, Bearer>
    lineIds: string[] | null
    ambiguous: Generated<boolean>
    published: Generated<boolean>
    failurePublished: Generated<boolean>
    at: CreatedAt
    dueBy: Date | null
    cleared: ContestStage | null
    buyerAllowed: Generated<boolean>
  }
  contestedLine: { lineId: string; contested: boolean; at: Date }
  payee: { userId: string; firstName: string; username: string; email: string; deletedAt: Date }
  stripeInbox: {
    eventId: string
    type: string
    created: Date
    sessionId: string | null
    intentId: string | null
    orderId: string | null
    subject: string | null
    fetched: boolean
    receivedAt: CreatedAt
    dueAt: Generated<Date>
    failures: Generated<number>
    traceparent: ColumnType<string | null, string | null | undefined, never>
    handledAt: Date | null
    outcome: string | null
  }
  alarm: {
    name: string
    subject: string
    orderId: string | null
    detail: string
    times: Generated<number>
    firstAt: CreatedAt
    lastAt: Generated<Date>
  } & Acknowledged
  orderNote: { id: string; orderId: string; operator: string; text: string; at: CreatedAt }
  reconciliation: {
    id: Generated<string>
    since: Date
    until: Generated<Date>
    isFull: boolean
    step: StepName | null
    cursor: string | null
    /** JSON text when written. */
    compared: ColumnType<Partial<Record<StepName | 'of_other_shops', number>>, string | undefined, string>
    ours: ColumnType<Partial<Sums>, string | undefined, string>
    processor: ColumnType<Partial<Sums>, string | undefined, string>
    nextPageAt: Generated<Date>
    failures: Generated<number>
    error: string | null
    finishedAt: Date | null
    differences: number | null
  }
  reconciliationDifference: {
    kind: DifferenceKind
    subject: string
    orderId: string | null
    intentId: string | null
    detail: string
    foundAt: CreatedAt
  } & Acknowledged
}

export type Order = Selectable<OrdersTable>
export type Run = Selectable<Database['reconciliation']>
export type Reversal = Selectable<Database['reversal']>
export type Line = Selectable<LineTable>
/** A line that catalog has reserved. */
export type ReservedLine = Line & {
  [Key in 'contract' | 'identifier' | 'name' | 'image' | 'sellerId' | 'creatorId']: string
} & { royaltyBps: number }
