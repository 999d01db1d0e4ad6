import { currentTraceparent } from '@nifty/service-kit/base/trace'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { subjectOf, type Unsubscription } from '../unsubscribe/unsubscribe-token.ts'
import { type EmailContent, renderHtml, renderText } from './email-layout.ts'

/** Mails whose token gets the time of the sending. */
export const RESET_TEMPLATE = 'password-reset'

type MailKey = {
  /** Name of the template; with `subjectId` the deduplication key: a repeated event queues no second mail. */
  template: string
  subjectId: string
  recipient: string
  /** Encrypted token of the link in the mail, which has TOKEN_PLACEHOLDER in its place. */
  sealedToken?: string
  /** What the mail's unsubscribe link ends: the mail gets the headers of RFC 8058, and its texts the token. */
  unsubscribe?: Unsubscription
}

/** Renders and queues a mail in the transaction of the event that causes it. */
export const queueMail = (
  trx: Transaction<Database>,
  { content, unsubscribe, ...key }: MailKey & { content: EmailContent },
) =>
  insertMail(trx, {
    ...key,
    unsubscribe: unsubscribe ? subjectOf(unsubscribe) : null,
    replyTo: null,
    subject: content.subject,
    text: renderText(content),
    html: renderHtml(content),
  })

export async function insertMail(
  db: Kysely<Database>,
  mail: Omit<MailKey, 'unsubscribe'> & {
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
