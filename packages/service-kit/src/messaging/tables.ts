import type { Generated } from 'kysely'
import type { MessageColumns } from './message.ts'

/** Tables of migrations/001-messaging.sql, which every service has. */
export type MessagingTables = {
  statisticsDay: { day: string; figures: unknown }
  outbox: MessageColumns & {
    id: Generated<string>
    seq: Generated<number>
    createdAt: Generated<Date>
    publishedAt: Date | null
  }
  republication: {
    id: Generated<number>
    since: Date
    nextSeq: number
    lastSeq: number
    requestedAt: Generated<Date>
    endedAt: Date | null
  }
  inbox: { messageId: string; name: string; receivedAt: Generated<Date> }
  retryMessage: MessageColumns & {
    messageId: string
    seq: Generated<number>
    attempts: Generated<number>
    nextAttemptAt: Generated<Date>
    error: string | null
    queuedAt: Generated<Date>
    deadLetteredAt: Date | null
    unknownVersion: Generated<boolean>
  }
}
