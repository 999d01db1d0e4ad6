import { currentTraceparent } from '@nifty/service-kit/base/trace'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { subjectOf, type Unsubscription } from '../unsubscribe/unsubscribe-token.ts'
import { type EmailContent, renderHtml, renderText, type Store } from './email-layout.ts'
import { choosePlaceholders, type Placeholders } from './placeholders.ts'

/** Mails whose token gets the time of the sending. */
export const RESET_TEMPLATE = 'password-reset'

type MailKey = {
  /** Name of the template; with `subjectId` the deduplication key: a repeated event queues no second mail. */
  template: string
  subjectId: string
  recipient: string
  /** Encrypted token of the link in the mail. */
  sealedToken?: string
  /** From then on the link is of no use, and the mail is not sent any more. */
  expiresAt?: Date
}

type QueuedMail = MailKey & {
  store: Store
  /** A mail with a token gets the words that stand for it until the mail is sent. */
  content: EmailContent | ((placeholders: Placeholders) => EmailContent)
  /** What the mail's unsubscribe link ends: the mail gets the headers of RFC 8058, and its texts the token. */
  unsubscribe?: Unsubscription
}

/** Renders and queues a mail in the transaction of the event that causes it. */
export function queueMail(trx: Transaction<Database>, { store, content, unsubscribe, ...key }: QueuedMail) {
  const fill = (placeholders: Placeholders) => (typeof content === 'function' ? content(placeholders) : content)
  const { id, placeholders } = choosePlaceholders((words) => renderHtml(fill(words), store))
  const filled = fill(placeholders)
  return insertMail(trx, {
    ...key,
    placeholderId: id,
    unsubscribe: unsubscribe ? subjectOf(unsubscribe) : null,
    replyTo: null,
    subject: filled.subject,
    text: renderText(filled, store),
    html: renderHtml(filled, store),
  })
}

export async function insertMail(
  db: Kysely<Database>,
  mail: MailKey & {
    placeholderId?: string | null
    /** Left side of its Message-ID; chosen when it is sent if absent. */
    messageId?: string
    /** Of what a person writes: the left sides of the Message-IDs before it in the thread, oldest first. */
    thread?: string[]
    unsubscribe?: string | null
    replyTo: string | null
    subject: string
    text: string
    html: string | null
  },
) {
  await db
    .insertInto('mail')
    .values({
      sealedToken: null,
      ...mail,
      error: null,
      sentAt: null,
      failedAt: null,
      traceparent: currentTraceparent(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
