import { CONTACT_MESSAGES_PAGE, type ContactState } from '@nifty/api/notification/contact-messages'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export type ContactMessage = Selectable<Database['contactMessage']>

export type ContactFilter = { state?: ContactState; assignedTo?: string; email?: string; after?: string }

const sameAddress = (email: string) => sql<boolean>`lower(email) = ${email.toLowerCase()}`

export const insertContactMessage = (
  trx: Transaction<Database>,
  message: Pick<ContactMessage, 'name' | 'email' | 'subject' | 'message' | 'messageId'>,
) =>
  trx
    .insertInto('contactMessage')
    .values({ ...message, assignedTo: null, answeredAt: null, answeredBy: null })
    .returning('id')
    .executeTakeFirstOrThrow()

/** One page of the messages that match every given filter, newest first; one more if there is another page. */
export function findContactMessages(db: Kysely<Database>, { state, assignedTo, email, after }: ContactFilter) {
  let query = db.selectFrom('contactMessage').selectAll()
  if (state) query = query.where('state', '=', state)
  if (assignedTo) query = query.where('assignedTo', '=', assignedTo)
  if (email) query = query.where(sameAddress(email))
  if (after) query = query.where('id', '<', after)
  return query
    .orderBy('id', 'desc')
    .limit(CONTACT_MESSAGES_PAGE + 1)
    .execute()
}

/** How many messages there are in each state. */
export async function countContactMessages(db: Kysely<Database>): Promise<Record<ContactState, number>> {
  const { rows } = await sql<{ state: ContactState; count: number }>`
    select state, count(*) as count from contact_message group by state`.execute(db)
  const counts = Object.fromEntries(rows.map(({ state, count }) => [state, count]))
  return { open: 0, answered: 0, closed: 0, spam: 0, ...counts }
}

export const findContactMessage = (db: Kysely<Database>, id: string) =>
  db.selectFrom('contactMessage').selectAll().where('id', '=', id).executeTakeFirst()

export const lockContactMessage = (trx: Transaction<Database>, id: string) =>
  trx.selectFrom('contactMessage').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export async function updateContactMessage(
  trx: Transaction<Database>,
  id: string,
  changes: Partial<Pick<ContactMessage, 'state' | 'assignedTo' | 'answeredAt' | 'answeredBy'>>,
) {
  await trx.updateTable('contactMessage').set(changes).where('id', '=', id).execute()
}

export const insertAnswer = (trx: Transaction<Database>, answer: Omit<Selectable<Database['contactAnswer']>, 'at'>) =>
  trx.insertInto('contactAnswer').values(answer).execute()

export const findAnswer = (trx: Transaction<Database>, id: string) =>
  trx.selectFrom('contactAnswer').selectAll().where('id', '=', id).executeTakeFirst()

/** Replies to a message with the state of their mails, oldest first. */
export const findAnswers = (db: Kysely<Database>, contactMessageId: string) =>
  db
    .selectFrom('contactAnswer')
    .leftJoin('mail', (join) =>
      join
        .on('mail.template', '=', ANSWER_TEMPLATE)
        .on((eb) => eb('mail.subjectId', '=', sql<string>`contact_message_id || '.' || contact_answer.id`)),
    )
    .select([
      'contactAnswer.id',
      'operator',
      'contactAnswer.text',
      'contactAnswer.messageId',
      'at',
      'sentAt',
      'failedAt',
    ])
    .where('contactMessageId', '=', contactMessageId)
    .orderBy('at')
    .orderBy('contactAnswer.id')
    .execute()

export const ANSWER_TEMPLATE = 'contact-answer'

/** Deletes the messages of these addresses with their replies. */
export async function deleteContactMessagesOf(trx: Transaction<Database>, emails: string[]) {
  if (emails.length === 0) return
  const addresses = emails.map((email) => email.toLowerCase())
  await sql`delete from contact_message where lower(email) = any(${addresses})`.execute(trx)
}

const BATCH = 1_000

/** Deletes one batch of messages that are two years old, with their replies. True if there may be more. */
export async function deleteOldContactMessages(db: Kysely<Database>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from contact_message where id in (
      select id from contact_message where at < now() - interval '2 years' limit ${sql.lit(BATCH)})`.execute(db)
  return Number(numAffectedRows) === BATCH
}
