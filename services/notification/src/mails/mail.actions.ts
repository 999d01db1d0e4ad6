import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { currentTraceparent } from '@nifty/service-kit/base/trace'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { subjectOf, type Unsubscription } from '../unsubscribe/unsubscribe-token.ts'
import { type EmailContent, renderHtml, renderText, type Store } from './email-layout.ts'
import { findMail, lockMail, repeatOf, retryMail } from './mail.store.ts'
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
    content: key.sealedToken === undefined ? filled : null,
  })
}

export async function insertMail(
  db: Kysely<Database>,
  {
    content = null,
    ...mail
  }: MailKey & { id?: string } & {
    placeholderId?: string | null
    /** Left side of its Message-ID; chosen when it is sent if absent. */
    messageId?: string
    /** Of what a person writes: the left sides of the Message-IDs before it in the thread, oldest first. */
    thread?: string[]
    /** Stored for `repeatMail`. */
    content?: EmailContent | null
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
      content: content && JSON.stringify(content),
      error: null,
      sentAt: null,
      failedAt: null,
      traceparent: currentTraceparent(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const mailNotFound = () => notFound('mail_not_found', 'This mail does not exist')

/**
 * Sends a mail again, as a mail of its own with the id `newMailId`: to the same address, with the same content. One
 * that was given up is attempted again instead. A repeated `newMailId` changes nothing. Returns the id of the mail that
 * is queued. Throws 404 `mail_not_found`, 409 `mail_waiting` while it is queued, and `mail_not_repeatable` when it has
 * a token, its content is erased, or its link has expired.
 */
export async function repeatMail(
  trx: Transaction<Database>,
  { mailId, newMailId, operator, reason }: OperatorReason & { mailId: string; newMailId: string },
  store: Store,
): Promise<string> {
  if (await findMail(trx, newMailId)) return newMailId
  const mail = await lockMail(trx, mailId)
  if (!mail) throw mailNotFound()
  const can = repeatOf(mail)
  if (can === 'waiting') throw conflict('mail_waiting', 'This mail is still in the queue', { details: { state: can } })
  if (can === 'no') throw conflict('mail_not_repeatable', 'This mail cannot be sent again', { details: { state: can } })
  await recordOperatorAction(trx, { action: 'repeat mail', subject: mail.subjectId, operator, reason })
  if (can === 'retry') {
    await retryMail(trx, mailId)
    return mailId
  }
  const { template, recipient, subject, content, placeholderId, unsubscribe } = mail
  await insertMail(trx, {
    id: newMailId,
    template,
    subjectId: `${mail.subjectId}.${newMailId}`,
    recipient,
    replyTo: null,
    placeholderId,
    unsubscribe,
    subject,
    text: renderText(content!, store),
    html: renderHtml(content!, store),
    content,
  })
  return newMailId
}
