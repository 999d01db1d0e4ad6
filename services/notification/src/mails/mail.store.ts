import type { MailRepeat } from '@nifty/api/notification/mails'
import { isUuid } from '@nifty/service-kit/base/uuid'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { subjectOf, type Unsubscription } from '../unsubscribe/unsubscribe-token.ts'
import type { Failure } from './delivery.ts'

/** A mail that this process alone may send until its claim ends. */
export type ClaimedMail = Pick<
  Database['mail'],
  'template' | 'subjectId' | 'recipient' | 'replyTo' | 'subject' | 'text' | 'html' | 'sealedToken'
> & {
  id: string
  /** With the one that begins now. */
  attempts: number
  messageId: string
  placeholderId: string | null
  traceparent: string | null
  unsubscribe: string | null
  thread: string[] | null
  isExpired: boolean
}

const isDue = sql`sent_at is null and failed_at is null and next_attempt_at <= now()`

/** Whether a mail is due that no process has claimed. */
export async function isMailDue(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select 1 from mail where ${isDue} limit 1 for update skip locked`.execute(db)
  return rows.length > 0
}

/**
 * Claims the mail that is due for the longest time, and counts the attempt; committed before the mail server is called.
 * After `seconds` without a result the mail is due again.
 */
export async function claimMail(db: Kysely<Database>, seconds: number): Promise<ClaimedMail | undefined> {
  const { rows } = await sql<ClaimedMail>`
    update mail set attempts = attempts + 1, claimed_at = now(), message_id = coalesce(message_id, gen_random_uuid()),
      next_attempt_at = now() + make_interval(secs => ${seconds})
    where id = (select id from mail where ${isDue} order by next_attempt_at limit 1 for update skip locked)
    returning id, template, subject_id, recipient, reply_to, subject, text, html, sealed_token, attempts, message_id,
      placeholder_id, traceparent, unsubscribe, thread, coalesce(expires_at <= now(), false) as is_expired`.execute(db)
  return rows[0]
}

/** Sent mails stay, without their texts, for deduplication. */
export async function markSent(db: Kysely<Database>, id: string) {
  await sql`
    update mail set sent_at = now(), claimed_at = null, text = null, html = null, sealed_token = null, error = null
    where id = ${id}`.execute(db)
}

/** Ends the claim of an attempt: the mail is due again after `seconds`. */
export const releaseMail = (
  db: Kysely<Database>,
  claim: Claim,
  { error, seconds }: { error: string; seconds: number },
) => updateClaimed(db, claim, sql`error = ${error}, next_attempt_at = now() + make_interval(secs => ${seconds})`)

/** Ends the claim of the last attempt: the mail is not sent any more. */
export const markFailed = (
  db: Kysely<Database>,
  claim: Claim,
  { error, failure }: { error: string; failure: Failure },
) => updateClaimed(db, claim, sql`error = ${error}, failed_at = now(), failure = ${failure}`)

type Claim = Pick<ClaimedMail, 'id' | 'attempts'>

/** Changes nothing if the claim ended meanwhile and another process attempts the mail. */
async function updateClaimed(db: Kysely<Database>, { id, attempts }: Claim, change: RawBuilder<unknown>) {
  await sql`
    update mail set claimed_at = null, ${change}
    where id = ${id} and attempts = ${attempts} and sent_at is null`.execute(db)
}

export async function deleteMail(db: Kysely<Database>, id: string) {
  await sql`delete from mail where id = ${id}`.execute(db)
}

/** Deletes queued mails that these unsubscriptions end. Skips one that is being sent. */
export async function dropWaitingMails(trx: Transaction<Database>, ended: Unsubscription[]) {
  if (ended.length === 0) return
  const waiting = trx
    .selectFrom('mail')
    .select('id')
    .where('unsubscribe', '=', anyOf(ended.map(subjectOf)))
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where(sql<boolean>`(claimed_at is null or next_attempt_at <= now())`)
    .forUpdate()
    .skipLocked()
  await trx.deleteFrom('mail').where('id', 'in', waiting).execute()
}

/** Deletes queued mails that are of no use any more, except one that is being sent. The prefix has no wildcards. */
export async function dropWaitingMailsOf(
  trx: Transaction<Database>,
  { template, subjectPrefix }: { template: string; subjectPrefix: string },
) {
  const waiting = trx
    .selectFrom('mail')
    .select('id')
    .where('template', '=', template)
    .where('subjectId', 'like', `${subjectPrefix}%`)
    .where('sentAt', 'is', null)
    .where('failedAt', 'is', null)
    .where(sql<boolean>`(claimed_at is null or next_attempt_at <= now())`)
    .forUpdate()
    .skipLocked()
  await trx.deleteFrom('mail').where('id', 'in', waiting).execute()
}

/** Whether a mail with this deduplication key is queued or was sent. */
export async function isMailStored(
  trx: Transaction<Database>,
  { templates, subjectId }: { templates: string[]; subjectId: string },
): Promise<boolean> {
  const mails = trx
    .selectFrom('mail')
    .select('id')
    .where('template', 'in', templates)
    .where('subjectId', '=', subjectId)
  return (await mails.executeTakeFirst()) !== undefined
}

/** Stores the deduplication key of a mail that is of no use any more, which a later event does not queue. */
export async function saveUnusedKey(
  trx: Transaction<Database>,
  { template, subjectId }: { template: string; subjectId: string },
) {
  await sql`
    insert into mail (template, subject_id, recipient, subject, sent_at) values (${template}, ${subjectId}, '', '', now())
    on conflict do nothing`.execute(trx)
}

export type Mail = Selectable<Database['mail']>

export const findMail = (db: Kysely<Database>, id: string): Promise<Mail | undefined> =>
  db.selectFrom('mail').selectAll().where('id', '=', id).executeTakeFirst()

export const lockMail = (trx: Transaction<Database>, id: string): Promise<Mail | undefined> =>
  trx.selectFrom('mail').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** What `repeatMail` does with a mail now. */
export function repeatOf({ sentAt, failedAt, failure, content, text, recipient }: Mail): MailRepeat {
  if (sentAt === null && failedAt === null) return 'waiting'
  if (recipient === '') return 'no'
  if (sentAt === null) return failure === 'expired' || text === null ? 'no' : 'retry'
  return content === null ? 'no' : 'copy'
}

/** A mail that was given up is due again, with all of its attempts. */
export async function retryMail(trx: Transaction<Database>, id: string) {
  await sql`
    update mail set failed_at = null, failure = null, acknowledged_at = null, error = null, attempts = 0,
      next_attempt_at = now()
    where id = ${id}`.execute(trx)
}

/**
 * Mails whose subject id is one of these ids or begins with it, and those to the address of an account among them or to
 * this address; newest first.
 */
export async function findMailsOf(
  db: Kysely<Database>,
  { ids, email, limit }: { ids: string[]; email: string | null; limit: number },
): Promise<Mail[]> {
  const { rows } = await sql<Mail>`
    select mail.* from mail where id in (
      select mail.id from unnest(${ids}::text[]) as wanted (id)
      join mail on subject_id collate "C" >= wanted.id and subject_id collate "C" < wanted.id || '/'
      union
      select mail.id from recipient join mail on mail.recipient = recipient.email
      where user_id = any(${ids.filter(isUuid)}::uuid[]) and mail.recipient <> ''
      union
      select id from mail where recipient = ${email} and recipient <> '')
    order by queued_at desc, id desc limit ${limit}`.execute(db)
  return rows
}
