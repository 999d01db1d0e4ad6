import type { Generated } from 'kysely'

/** Tables that every service has (migrations). */
export type MessagingTables = {
  outbox: {
    id: Generated<string>
    seq: Generated<number>
    name: string
    topic: string
    key: string
    data: unknown
    correlationId: string | null
    traceparent: Generated<string | null>
    createdAt: Generated<Date>
    publishedAt: Date | null
  }
  inbox: { messageId: string; name: string; receivedAt: Generated<Date> }
  parkedEvent: {
    messageId: string
    seq: Generated<number>
    name: string
    topic: string
    key: string
    data: unknown
    correlationId: string | null
    traceparent: Generated<string | null>
    attempts: Generated<number>
    nextAttemptAt: Generated<Date>
    error: string | null
    parkedAt: Generated<Date>
    givenUpAt: Date | null
  }
  replay: {
    id: Generated<string>
    messageId: string
    name: string
    key: string
    operator: string
    reason: string
    at: Generated<Date>
  }
}
