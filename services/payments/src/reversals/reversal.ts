import { closedDisputeStatuses } from '../processor/reversal.ts'

/** How far a bank's objection to a payment has come. */
export type ContestStage = 'fraud_warning' | 'inquiry' | 'dispute' | 'lost'

/** Null for a refund, and once the bank decided for the payment. A warning ends only when an operator clears it. */
export function contestStage({ kind, status }: { kind: string; status: string }): ContestStage | null {
  if (kind === 'fraud_warning') return kind
  if (kind !== 'dispute') return null
  if (status === 'lost') return status
  if (closedDisputeStatuses.includes(status)) return null
  return isInquiry(status) ? 'inquiry' : 'dispute'
}

/** Whether it contests its lines. What an operator cleared does so again in its next stage. */
export function isContesting(reversal: { kind: string; status: string; cleared: ContestStage | null }): boolean {
  const stage = contestStage(reversal)
  return stage !== null && stage !== reversal.cleared
}

/** An inquiry precedes a dispute: nothing is withdrawn yet, and a refund still ends it. */
export const isInquiry = (status: string) => status.startsWith('warning_')

/** A dispute that takes money now: not won, not prevented, and more than an inquiry. */
export const isDisputing = ({ kind, status }: { kind: string; status: string }) =>
  kind === 'dispute' && !isInquiry(status) && status !== 'won' && status !== 'prevented'

export const isFailedRefund = (status: string) => status === 'failed' || status === 'canceled'

/** Events after which the refunds, disputes and warnings of a payment are read. A hint: the objects are what counts. */
export const isReversalEvent = (type: string) =>
  /^(charge\.refunded$|charge\.refund\.updated$|refund\.|charge\.dispute\.|radar\.early_fraud_warning\.)/.test(type)

export const refundKeyOf = ({ id, attempt }: { id: string; attempt: number }) => `refund:${id}:${attempt}`

const refundKey = /^refund:([0-9a-f-]{36}):(\d{1,9})$/

/** The request of this store that a key belongs to. */
export function parseRefundKey(key: string | null): { id: string; attempt: number } | null {
  const [, id, attempt] = refundKey.exec(key ?? '') ?? []
  return id && attempt ? { id, attempt: Number(attempt) } : null
}
