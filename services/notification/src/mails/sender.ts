import { unsubscribeOneClick } from '@nifty/api/notification/public'
import type { Log } from '@nifty/service-kit/base/logs'
import { unseal } from '@nifty/service-kit/base/secrets'
import { withSendingTime } from '@nifty/service-kit/base/sent-token'
import { inSpan } from '@nifty/service-kit/base/trace'
import { type Kysely, sql } from 'kysely'
import type { Transporter } from 'nodemailer'
import type { Database } from '../db.ts'
import { signSubject, UNSUBSCRIBE_PLACEHOLDER } from '../unsubscribe/unsubscribe-token.ts'
import { TOKEN_PLACEHOLDER } from './email-layout.ts'
import { RESET_TEMPLATE } from './mail.actions.ts'
import { deleteMail, markSent } from './mail.store.ts'

const MAX_ATTEMPTS = 20
/** Mails that are sent at the same time. */
export const CONCURRENCY = 5

/** SMTP needs a recipient; the domain cannot exist (RFC 2606). */
const DISCARDED_RECIPIENT = 'discarded@nifty.invalid'

const isDue = sql`sent_at is null and failed_at is null and next_attempt_at <= now()`

/**
 * A mail without recipient is composed like any other, and dropped: whether an address has an account must not show in
 * the load of the store (`noOwner` in auth). The response to a request never waits for its mail.
 */
const isDiscarded = ({ recipient }: Pick<Due, 'recipient'>) => recipient === ''

/** Delay before the next attempt in seconds: at most an hour, about half a day over all attempts. */
const retryDelay = (attempts: number) => Math.min(2 ** attempts, 3_600)

type Due = Pick<
  Database['mail'],
  'template' | 'subjectId' | 'recipient' | 'replyTo' | 'subject' | 'text' | 'html' | 'sealedToken'
> & {
  id: string
  attempts: number
  traceparent: string | null
  unsubscribe: string | null
}

/**
 * Sends queued mails. A crash between the server's reply and the commit sends a mail twice, with the same
 * Message-ID, by which mail programs can detect the duplicate.
 */
export function createSender({
  db,
  smtpUrl,
  from,
  publicUrl,
  mailTokenKey,
  log,
}: {
  db: Kysely<Database>
  smtpUrl: string
  from: string
  publicUrl: string
  mailTokenKey: string
  log: Log
}) {
  const pool = { url: smtpUrl, pool: true, maxConnections: CONCURRENCY } as const
  const smtp = lazyTransport((nodemailer) =>
    nodemailer.createTransport({ ...pool, disableFileAccess: true, disableUrlAccess: true }),
  )
  const discard = lazyTransport((nodemailer) => nodemailer.createTransport({ streamTransport: true, buffer: true }))
  const host = new URL(publicUrl).hostname

  /** The link of a reset lives from the sending of its mail on. */
  function tokenOf(template: string, sealed: string) {
    const token = unseal(sealed, mailTokenKey)
    return template === RESET_TEMPLATE ? withSendingTime(token, new Date(), mailTokenKey) : token
  }

  async function send(mail: Due) {
    const token = mail.sealedToken === null ? '' : encodeURIComponent(tokenOf(mail.template, mail.sealedToken))
    const leave = mail.unsubscribe === null ? '' : encodeURIComponent(signSubject(mail.unsubscribe, mailTokenKey))
    const complete = (body: string) =>
      body.replaceAll(TOKEN_PLACEHOLDER, token).replaceAll(UNSUBSCRIBE_PLACEHOLDER, leave)
    const transport = await (isDiscarded(mail) ? discard : smtp).open()
    await transport.sendMail({
      from,
      to: { name: '', address: mail.recipient || DISCARDED_RECIPIENT },
      ...(mail.replyTo ? { replyTo: { name: '', address: mail.replyTo } } : {}),
      subject: mail.subject,
      text: complete(mail.text ?? ''),
      ...(mail.html ? { html: complete(mail.html) } : {}),
      messageId: `<${mail.template}.${mail.subjectId}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated', ...(leave ? unsubscribeHeaders(leave) : {}) },
    })
  }

  /** RFC 8058: a mail program posts a form to the address, without opening a page. */
  const unsubscribeHeaders = (token: string) => ({
    'List-Unsubscribe': `<${publicUrl}${unsubscribeOneClick.path}?token=${token}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })

  /** Whether a mail is due that no other process is sending. */
  async function isMailDue(): Promise<boolean> {
    const { rows } = await sql`select 1 from mail where ${isDue} limit 1 for update skip locked`.execute(db)
    return rows.length > 0
  }

  async function sendOne(): Promise<void> {
    await db.transaction().execute(async (trx) => {
      const { rows } = await sql<Due>`
        select id, template, subject_id, recipient, reply_to, subject, text, html, sealed_token, attempts, traceparent, unsubscribe
        from mail
        where ${isDue}
        order by next_attempt_at limit 1 for update skip locked`.execute(trx)
      const mail = rows[0]
      if (!mail) return
      try {
        const attributes = { 'mail.id': mail.id, 'mail.template': mail.template }
        await inSpan({ name: 'send mail', kind: 'client', remoteParent: mail.traceparent, attributes }, () =>
          send(mail),
        )
        await (isDiscarded(mail) ? deleteMail(trx, mail.id) : markSent(trx, mail.id))
      } catch (error) {
        const attempts = mail.attempts + 1
        log.warn(
          { err: error, mailId: mail.id, attempts },
          attempts < MAX_ATTEMPTS ? 'mail not sent, retrying later' : 'mail not sent, giving up after the last attempt',
        )
        await sql`
          update mail set attempts = ${attempts}, error = ${String(error)},
            next_attempt_at = now() + make_interval(secs => ${retryDelay(attempts)}),
            failed_at = ${attempts >= MAX_ATTEMPTS ? sql`now()` : null}
          where id = ${mail.id}`.execute(trx)
      }
    })
  }

  return { isMailDue, sendOne, stop: smtp.close }
}

export type Sender = ReturnType<typeof createSender>

/** nodemailer is loaded by the first mail. */
function lazyTransport(create: (nodemailer: typeof import('nodemailer').default) => Transporter<unknown>) {
  let opening: Promise<Transporter<unknown>> | undefined
  return {
    open: () => {
      opening ??= import('nodemailer').then(({ default: nodemailer }) => create(nodemailer))
      return opening
    },
    close: async () => (await opening)?.close(),
  }
}
