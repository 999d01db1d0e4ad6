import type { Log } from '@nifty/service-kit/logs'
import { inSpan } from '@nifty/service-kit/traces/trace'
import type { Worker } from '@nifty/service-kit/worker'
import { type Kysely, sql } from 'kysely'
import nodemailer from 'nodemailer'
import type { Database } from '../db.ts'

const MAX_ATTEMPTS = 20
const AT_ONCE = 5

/** Pause before the next try, in seconds: an hour at most, half a day in all. */
const pauseAfter = (attempts: number) => Math.min(2 ** attempts, 3_600)

type Due = Pick<Database['mail'], 'template' | 'subjectId' | 'recipient' | 'replyTo' | 'subject' | 'text' | 'html'> & {
  id: string
  attempts: number
  traceparent: string | null
}

/**
 * Sends what is in line. A crash between the server's "250" and our note sends it a second time, with the same
 * Message-ID, so that mail programs can tell (reliability-and-security N1).
 */
export function createSender({
  db,
  smtpUrl,
  from,
  publicUrl,
  log,
}: {
  db: Kysely<Database>
  smtpUrl: string
  from: string
  publicUrl: string
  log: Log
}) {
  const smtp = nodemailer.createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: AT_ONCE,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const host = new URL(publicUrl).hostname

  const send = (mail: Due) =>
    smtp.sendMail({
      from,
      to: { name: '', address: mail.recipient },
      ...(mail.replyTo ? { replyTo: { name: '', address: mail.replyTo } } : {}),
      subject: mail.subject,
      text: mail.text ?? '',
      ...(mail.html ? { html: mail.html } : {}),
      messageId: `<${mail.template}.${mail.subjectId}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    })

  async function sendOne(): Promise<boolean> {
    return db.transaction().execute(async (trx) => {
      const { rows } = await sql<Due>`
        select id, template, subject_id, recipient, reply_to, subject, text, html, attempts, traceparent
        from mail
        where sent_at is null and given_up_at is null and next_attempt_at <= now()
        order by next_attempt_at limit 1 for update skip locked`.execute(trx)
      const mail = rows[0]
      if (!mail) return false
      try {
        const facts = { 'mail.id': mail.id, 'mail.template': mail.template }
        await inSpan({ name: 'send mail', kind: 'client', continues: mail.traceparent, facts }, () => send(mail))
        await sql`update mail set sent_at = now(), text = null, html = null, error = null where id = ${mail.id}`.execute(
          trx,
        )
      } catch (error) {
        const attempts = mail.attempts + 1
        log.warn({ err: error, mailId: mail.id, attempts }, 'mail not sent')
        await sql`
          update mail set attempts = ${attempts}, error = ${String(error)},
            next_attempt_at = now() + make_interval(secs => ${pauseAfter(attempts)}),
            given_up_at = ${attempts >= MAX_ATTEMPTS ? sql`now()` : null}
          where id = ${mail.id}`.execute(trx)
      }
      return true
    })
  }

  const worker: Worker = {
    name: 'mails',
    everyMs: 250,
    run: async () => (await Promise.all(Array.from({ length: AT_ONCE }, sendOne))).some(Boolean),
  }
  return { worker, stop: async () => smtp.close() }
}
