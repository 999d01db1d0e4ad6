import { setTimeout as sleep } from 'node:timers/promises'
import { unsubscribeOneClick } from '@nifty/api/notification/public'
import type { Log } from '@nifty/service-kit/base/logs'
import { type Keys, unseal } from '@nifty/service-kit/base/secrets'
import { withSendingTime } from '@nifty/service-kit/base/sent-token'
import { inSpan } from '@nifty/service-kit/base/trace'
import { isTransientDatabaseError } from '@nifty/service-kit/database/database'
import type { Kysely } from 'kysely'
import type { Transporter } from 'nodemailer'
import type { Database } from '../db.ts'
import { signSubject } from '../unsubscribe/unsubscribe-token.ts'
import { describeFailure, type Failure, isRefusal, MAX_ATTEMPTS, retryDelay } from './delivery.ts'
import { RESET_TEMPLATE } from './mail.actions.ts'
import { type ClaimedMail, claimMail, deleteMail, isMailDue, markFailed, markSent, releaseMail } from './mail.store.ts'
import type { Mailbox } from './mailbox.ts'
import { fillPlaceholders } from './placeholders.ts'

/** Mails that are sent at the same time. */
export const CONCURRENCY = 5

/** A server may take ten minutes for its response to a mail (RFC 5321 4.5.3.2.6); who waits less sends it twice. */
const RESPONSE_MS = 600_000
/** Of a whole attempt: a server that sends a byte now and then ends no `RESPONSE_MS`. */
const ATTEMPT_MS = 660_000
/** Longer than an attempt, so that no two processes send a mail at the same time. */
const CLAIM_S = 720
const CONNECT_MS = 30_000
/** How long a result that the database does not take is offered to it again. */
const STORE_ATTEMPTS = 60
const STORE_PAUSE_MS = 1_000

/** SMTP needs a recipient; the domain cannot exist (RFC 2606). */
const DISCARDED_RECIPIENT = 'discarded@store.invalid'

/**
 * A mail without recipient is composed like any other, and dropped: whether an address has an account must not show in
 * the load of the store (`noOwner` in auth). The response to a request never waits for its mail.
 */
const isDiscarded = ({ recipient }: Pick<ClaimedMail, 'recipient'>) => recipient === ''

/**
 * Sends queued mails: claims one, talks to the mail server without a transaction, stores the result. A process that
 * ends between the server's response and the stored result leaves a mail that is sent again when its claim ends, with
 * the same Message-ID, by which mail programs detect the duplicate. Each attempt is counted before it begins, so there
 * are at most MAX_ATTEMPTS copies.
 */
export function createSender({
  db,
  smtpUrl,
  from,
  publicUrl,
  mailTokenKeys,
  log,
}: {
  db: Kysely<Database>
  smtpUrl: string
  from: Mailbox
  publicUrl: string
  mailTokenKeys: Keys
  log: Log
}) {
  const smtp = lazyTransport((nodemailer) =>
    nodemailer.createTransport({
      url: smtpUrl,
      pool: true,
      maxConnections: CONCURRENCY,
      dnsTimeout: CONNECT_MS,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: RESPONSE_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  const discard = lazyTransport((nodemailer) => nodemailer.createTransport({ streamTransport: true, buffer: true }))
  const host = new URL(publicUrl).hostname

  const messageIdOf = (id: string) => `<${id.replaceAll('-', '')}@${host}>`

  /** The link of a reset is valid from the sending of its mail on. */
  function tokenOf(template: string, sealed: string) {
    const token = unseal(sealed, mailTokenKeys)
    return template === RESET_TEMPLATE ? withSendingTime(token, new Date(), mailTokenKeys) : token
  }

  async function send(mail: ClaimedMail) {
    const token = mail.sealedToken === null ? null : encodeURIComponent(tokenOf(mail.template, mail.sealedToken))
    const leave = mail.unsubscribe === null ? null : encodeURIComponent(signSubject(mail.unsubscribe, mailTokenKeys))
    const complete = (body: string) =>
      fillPlaceholders(body, { id: mail.placeholderId, tokens: { token, unsubscribe: leave } })
    const transport = await (isDiscarded(mail) ? discard : smtp).open()
    await transport.sendMail({
      from,
      to: { name: '', address: mail.recipient || DISCARDED_RECIPIENT },
      ...(mail.replyTo ? { replyTo: { name: '', address: mail.replyTo } } : {}),
      subject: mail.subject,
      text: complete(mail.text ?? ''),
      ...(mail.html ? { html: complete(mail.html) } : {}),
      messageId: messageIdOf(mail.messageId),
      ...(mail.thread
        ? { inReplyTo: messageIdOf(mail.thread.at(-1)!), references: mail.thread.map(messageIdOf) }
        : { headers: { 'Auto-Submitted': 'auto-generated', ...(leave === null ? {} : unsubscribeHeaders(leave)) } }),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    })
  }

  /**
   * RFC 8058: a mail program posts a form to the address, without opening a page. The address is ASCII and not folded:
   * some programs do not read a value that begins in the second line.
   */
  const unsubscribeHeaders = (token: string) => ({
    'List-Unsubscribe': { prepared: true, value: `<${publicUrl}${unsubscribeOneClick.path}?token=${token}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  })

  async function sendOne(): Promise<void> {
    const mail = await claimMail(db, CLAIM_S)
    if (!mail) return
    const failure = mail.isExpired || mail.attempts > MAX_ATTEMPTS ? withoutAttempt(mail) : await attempt(mail)
    await stored(() => {
      if (isDiscarded(mail)) return deleteMail(db, mail.id)
      if (!failure) return markSent(db, mail.id)
      const { error, kind } = failure
      if (kind) return markFailed(db, mail, { error, failure: kind })
      return releaseMail(db, mail, { error, seconds: retryDelay(mail.attempts, Math.random()) })
    })
  }

  /** A mail whose link is of no use any more, or whose last attempt ended with its process. */
  function withoutAttempt({ id, isExpired }: ClaimedMail) {
    const kind = isExpired ? ('expired' as const) : ('attempts' as const)
    log.warn({ mailId: id }, outcomes[kind])
    return { error: outcomes[kind], kind }
  }

  /** What went wrong, and why the mail is not sent any more if it is not retried; undefined when it was sent. */
  async function attempt(mail: ClaimedMail) {
    try {
      const attributes = { 'mail.id': mail.id, 'mail.template': mail.template }
      await inSpan({ name: 'send mail', kind: 'client', remoteParent: mail.traceparent, attributes }, () => send(mail))
      const { id: mailId, messageId, template } = mail
      if (!isDiscarded(mail)) log.info({ mailId, messageId, template }, 'mail sent')
    } catch (thrown) {
      const error = describeFailure(thrown)
      const last = mail.attempts >= MAX_ATTEMPTS ? ('attempts' as const) : null
      const kind = isRefusal(thrown) ? ('refused' as const) : last
      const { id: mailId, messageId, attempts } = mail
      log.warn({ mailId, messageId, attempts, error }, kind ? outcomes[kind] : 'mail not sent, retrying later')
      return { error, kind }
    }
  }

  /** Offers a result to the database until it takes it: a mail that was sent must not be sent again. */
  async function stored(store: () => Promise<void>) {
    for (let tries = 1; ; tries++) {
      try {
        return await store()
      } catch (error) {
        if (tries === STORE_ATTEMPTS || !isTransientDatabaseError(error)) throw error
        await sleep(STORE_PAUSE_MS)
      }
    }
  }

  return { isMailDue: () => isMailDue(db), sendOne, stop: smtp.close }
}
export type Sender = ReturnType<typeof createSender>

const outcomes: Record<Failure, string> = {
  expired: 'mail not sent, its link has expired',
  refused: 'mail not sent, the mail server refuses it for good',
  attempts: 'mail not sent, giving up after the last attempt',
}

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
