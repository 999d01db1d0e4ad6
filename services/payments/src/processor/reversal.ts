import type Stripe from 'stripe'

/** A refund, dispute or early fraud warning as the processor has it. Cents. */
export type ProcessorReversal = {
  id: string
  kind: 'refund' | 'dispute' | 'fraud_warning'
  status: string
  reason: string | null
  /** Null for a warning. */
  amountCents: number | null
  /** What has left the captured amount by it until now. */
  withdrawnCents: number
  createdAt: Date
  /** Of an open dispute: until when the bank takes evidence. */
  dueBy: Date | null
  /** Of a refund: the key in its metadata, if this store made it. */
  refundKey: string | null
}

/** Statuses after which a dispute or inquiry moves no money any more. */
export const closedDisputeStatuses: readonly string[] = ['won', 'lost', 'warning_closed', 'prevented']

/** Of an uncaptured charge it is the release of the hold. */
export const isOfCapture = ({ charge }: Stripe.Refund) =>
  charge !== null && typeof charge === 'object' && charge.captured

export function refundOf({ id, status, amount, created, metadata, failure_reason }: Stripe.Refund): ProcessorReversal {
  return {
    id,
    kind: 'refund',
    status: status ?? 'no status',
    reason: failure_reason ?? null,
    amountCents: amount,
    withdrawnCents: status === 'succeeded' ? amount : 0,
    createdAt: new Date(created * 1000),
    dueBy: null,
    refundKey: metadata?.refund ?? null,
  }
}

/** Withdrawn: the sum of its balance transactions without their fees, negative there. A won dispute adds up to 0. */
export function disputeOf({
  id,
  status,
  amount,
  created,
  reason,
  balance_transactions,
  evidence_details: { due_by: dueBy },
}: Stripe.Dispute): ProcessorReversal {
  const movedCents = balance_transactions.reduce((sum, movement) => sum + movement.amount, 0)
  return {
    id,
    kind: 'dispute',
    status,
    reason,
    amountCents: amount,
    withdrawnCents: Math.max(0, -movedCents),
    createdAt: new Date(created * 1000),
    dueBy: dueBy ? new Date(dueBy * 1000) : null,
    refundKey: null,
  }
}

/** The bank's early warning of fraud, which moves no money. The processor never closes it. */
export const warningOf = ({ id, created, fraud_type }: Stripe.Radar.EarlyFraudWarning): ProcessorReversal => ({
  id,
  kind: 'fraud_warning',
  status: 'open',
  reason: fraud_type,
  amountCents: null,
  withdrawnCents: 0,
  createdAt: new Date(created * 1000),
  dueBy: null,
  refundKey: null,
})
