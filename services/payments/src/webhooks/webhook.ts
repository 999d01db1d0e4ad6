import type { Order } from '../db.ts'

/** A card was declined, or its holder not authenticated; the page stays open for another attempt. */
export const DECLINED = 'payment_intent.payment_failed'

/** The stored fields of an event: identifiers only, no card or personal data. */
export type EventSummary = {
  eventId: string
  type: string
  created: Date
  sessionId: string | null
  intentId: string | null
  /** From the event's metadata, which the store does not trust. */
  orderId: string | null
  /** Id of the dispute, warning or refund. */
  subject: string | null
}

/** `traceparent`: of the request that brought it. */
export type ReceivedEvent = EventSummary & { traceparent: string | null }

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const text = (value: unknown) => (typeof value === 'string' && value.isWellFormed() ? value.replaceAll('\0', '') : null)
const idOf = (value: unknown) =>
  text(typeof value === 'object' && value !== null ? (value as { id?: unknown }).id : value)

/** The fields of a processor event that are read. Thin events have no `data`. */
type ProcessorEvent = { id: string; type: string; created: unknown; data?: { object?: unknown } | null }

/** Seconds since 1970 until the year 9999; the present time for anything else. */
const timeOf = (created: unknown) =>
  typeof created === 'number' && created >= 0 && created < 253_402_300_800 ? new Date(created * 1000) : new Date()

export function summarizeEvent(event: ProcessorEvent): EventSummary {
  const object = (event.data?.object ?? {}) as Record<string, unknown>
  const kind = object.object
  const claimed = text(object.client_reference_id) ?? text((object.metadata as Record<string, unknown> | null)?.order)
  return {
    eventId: event.id,
    type: event.type,
    created: timeOf(event.created),
    sessionId: kind === 'checkout.session' ? idOf(object) : null,
    intentId: kind === 'payment_intent' ? idOf(object) : idOf(object.payment_intent),
    orderId: claimed && uuid.test(claimed) ? claimed : null,
    subject: kind === 'dispute' || kind === 'refund' || kind === 'radar.early_fraud_warning' ? idOf(object) : null,
  }
}

/**
 * Types that never bring news to an order, because `checkout.session.completed` has it, and types that bring none after
 * the order requested its capture.
 */
export const withoutNews = new Map<string, 'always' | 'after_capture_request'>([
  ['payment_intent.created', 'always'],
  ['payment_intent.processing', 'always'],
  ['payment_intent.amount_capturable_updated', 'always'],
  ['charge.succeeded', 'always'],
  ['charge.updated', 'always'],
  ['payment_intent.succeeded', 'after_capture_request'],
  ['charge.captured', 'after_capture_request'],
])

/** The span of what is done for an event: part of the order's trace. */
export const handlingOf = (
  { type, eventId, traceparent }: Pick<ReceivedEvent, 'type' | 'eventId' | 'traceparent'>,
  order: Pick<Order, 'id' | 'traceparent'>,
) => ({
  name: `process ${type}`,
  remoteParent: order.traceparent,
  links: [traceparent],
  attributes: { 'event.id': eventId, 'order.id': order.id },
})

/** Whether all that is to be done for an event is to wake the order that has its session. */
export const onlyWakes = ({ type, sessionId }: EventSummary) =>
  sessionId !== null && type.startsWith('checkout.session.') && !withoutNews.has(type)

/** Whether an event wakes its order. Events of unknown types do. */
export function isNews(type: string, { captureRequestedAt }: { captureRequestedAt: Date | null }): boolean {
  const when = withoutNews.get(type)
  return when === undefined || (when === 'after_capture_request' && captureRequestedAt === null)
}
