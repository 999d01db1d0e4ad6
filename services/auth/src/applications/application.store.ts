import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { ApplicationForm } from './application.ts'

/** The newest application of an account. */
export const findNewestApplication = (db: Kysely<Database>, accountId: string) =>
  db
    .selectFrom('sellerApplication')
    .selectAll()
    .where('accountId', '=', accountId)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()

/** `id`: of the application that the operator has read. */
export type Outcome = { id?: string; granted: boolean; answer: string }

export const insertApplication = (trx: Transaction<Database>, accountId: string, form: ApplicationForm) =>
  trx
    .insertInto('sellerApplication')
    .values({ accountId, ...form, answeredAt: null })
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteWaitingApplication = (trx: Transaction<Database>, accountId: string) =>
  trx.deleteFrom('sellerApplication').where('accountId', '=', accountId).where('state', '=', 'waiting').execute()

/** Decides on the application that waits, if it is the one with this id where that is given. Undefined for none. */
export const answerWaitingApplication = (
  trx: Transaction<Database>,
  accountId: string,
  { id, granted, answer }: Outcome,
) =>
  trx
    .updateTable('sellerApplication')
    .set({ state: granted ? 'granted' : 'declined', answer, answeredAt: sql<Date>`now()` })
    .where('accountId', '=', accountId)
    .where('state', '=', 'waiting')
    .$if(id !== undefined, (query) => query.where('id', '=', id!))
    .returning(['id', 'links', 'message'])
    .executeTakeFirst()

/** The oldest applications that wait, of accounts that are not blocked. */
export async function findWaitingApplications(db: Kysely<Database>, limit: number) {
  const { rows } = await sql<{
    applicationId: string
    userId: string
    username: string
    firstName: string
    lastName: string
    email: string
    links: string[]
    message: string
    createdAt: Date
    declinedBefore: number
    waiting: number
  }>`
    select application.id as application_id, account.id as user_id, username, first_name, last_name, email, application.links, message,
      application.created_at, count(*) over ()::int as waiting,
      (select count(*)::int from seller_application as former
        where former.account_id = account.id and former.state = 'declined') as declined_before
    from seller_application as application join account on account.id = application.account_id
    where application.state = 'waiting'
      and suspended_at is null and frozen_at is null and deletion_requested_at is null and deleted_at is null
    order by application.created_at limit ${limit}`.execute(db)
  return { waiting: rows[0]?.waiting ?? 0, applications: rows.map(({ waiting, ...application }) => application) }
}
