import type { ContactState } from '@nifty/api/notification/contact-messages'
import type { NoticeKind } from '@nifty/api/notification/notices'
import type { AuditTables } from '@nifty/service-kit/database/operator-audit'
import type { MessagingTables } from '@nifty/service-kit/messaging/tables'
import type { ColumnType, Generated } from 'kysely'
import type { EmailContent } from './mails/email-layout.ts'

/** Tables of notification (migrations/). */
export type Database = AuditTables &
  MessagingTables & {
    recipient: {
      userId: string
      version: number
      email: string
      wantsMessages: boolean
      wantsFollows: Generated<boolean>
      wantsFavourites: Generated<boolean>
      wantsNews: Generated<boolean>
      refusesNews: Generated<boolean>
      deletedAt: Date | null
    }
    openLine: { lineId: string; buyerId: string; sellerId: string }
    notice: {
      id: Generated<string>
      userId: string
      what: NoticeKind
      /** An account has one notice of a kind for each: the work, or of an offer that was received its order. */
      itemId: string
      contract: string
      identifier: string
      name: string
      artist: string | null
      artistId: string | null
      priceCents: number | null
      endsAt: Date | null
      at: Date
      readAt: Date | null
      mailDue: Generated<boolean>
      claimedUntil: Generated<Date | null>
    }
    digest: { userId: string; artistId: string; day: string; claimedUntil: Date | null }
    subscriber: {
      id: Generated<string>
      email: string
      tokenHash: string | null
      requestedAt: Generated<Date>
      confirmedAt: Date | null
    }
    contactMessage: {
      id: Generated<string>
      name: string
      email: string
      subject: string
      message: string
      messageId: string
      at: Generated<Date>
      state: Generated<ContactState>
      assignedTo: string | null
      answeredAt: Date | null
      answeredBy: string | null
    }
    contactAnswer: {
      id: string
      contactMessageId: string
      operator: string
      text: string
      messageId: string
      at: Generated<Date>
    }
    mail: {
      id: Generated<string>
      template: string
      subjectId: string
      recipient: string
      replyTo: string | null
      subject: string
      text: string | null
      html: string | null
      sealedToken: string | null
      attempts: Generated<number>
      nextAttemptAt: Generated<Date>
      error: string | null
      queuedAt: Generated<Date>
      sentAt: Date | null
      failedAt: Date | null
      traceparent: Generated<string | null>
      unsubscribe: Generated<string | null>
      claimedAt: Generated<Date | null>
      messageId: Generated<string | null>
      expiresAt: Generated<Date | null>
      placeholderId: Generated<string | null>
      failure: Generated<'refused' | 'attempts' | 'expired' | null>
      acknowledgedAt: Generated<Date | null>
      thread: Generated<string[] | null>
      /** JSON text when written. */
      content: ColumnType<EmailContent | null, string | null | undefined, string | null>
    }
  }
