/** An inquiry precedes a dispute: nothing is withdrawn yet, and a refund still ends it. */
export const isInquiry = (status: string) => status.startsWith('warning_')

/** A dispute that takes money now: not won, not prevented, and more than an inquiry. */
export const isDisputing = ({ kind, status }: { kind: string; status: string }) =>
  kind === 'dispute' && !isInquiry(status) && status !== 'won' && status !== 'prevented'

/** Events after which the refunds and disputes of a payment are read. A hint: the objects are what counts. */
export const isReversalEvent = (type: string) =>
  /^(charge\.refunded$|charge\.refund\.updated$|refund\.|charge\.dispute\.)/.test(type)

export const refundKeyOf = ({ id, attempt }: { id: string; attempt: number }) => `refund:${id}:${attempt}`

const refundKey = /^refund:([0-9a-f-]{36}):(\d{1,9})$/

/** The request of this store that a key belongs to. */
export function parseRefundKey(key: string | null): { id: string; attempt: number } | null {
  const [, id, attempt] = refundKey.exec(key ?? '') ?? []
  return id && attempt ? { id, attempt: Number(attempt) } : null
}
