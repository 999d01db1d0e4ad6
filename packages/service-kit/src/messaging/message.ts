import type { Generated } from 'kysely'

/** One event in transit. `key` keeps related messages in order; `id` stays the same over redeliveries. */
export type Message = {
  id: string
  name: string
  topic: string
  key: string
  data: unknown
  correlationId: string | null
  /** W3C Trace Context of the trace that the message belongs to; absent without tracing. */
  traceparent?: string | null
}

/** Columns that the tables `outbox`, `retry_message` and `message` share. */
export type MessageColumns = {
  name: string
  topic: string
  key: string
  data: unknown
  correlationId: string | null
  traceparent: Generated<string | null>
}

export const toRow = ({ name, topic, key, data, correlationId, traceparent }: Omit<Message, 'id'>) => ({
  name,
  topic,
  key,
  correlationId,
  data: JSON.stringify(data),
  traceparent: traceparent ?? null,
})

type Row = Omit<MessageColumns, 'traceparent'> & { traceparent: string | null }

export const fromRow = (id: string, { name, topic, key, data, correlationId, traceparent }: Row): Message => ({
  id,
  name,
  topic,
  key,
  data,
  correlationId,
  traceparent,
})
