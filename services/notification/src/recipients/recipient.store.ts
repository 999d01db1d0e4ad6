import type { accountChanged } from '@nifty/events/auth'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import { forgetMailsTo } from '../mails/retention.ts'

type Account = Static<typeof accountChanged.data>

/** Keeps the newest version of an account; an older one that arrives late changes nothing. */
export async function saveContact(
  trx: Transaction<Database>,
  { userId, version, email, firstName, notifications }: Account,
) {
  const row = { version, email, firstName, wantsMessages: notifications.message }
  await trx
    .insertInto('contact')
    .values({ userId, ...row, deletedAt: null })
    .onConflict((conflict) =>
      conflict
        .column('userId')
        .doUpdateSet(row)
        .where('contact.version', '<', version)
        .where('contact.deletedAt', 'is', null),
    )
    .execute()
}

export const findContact = (db: Kysely<Database>, userId: string) =>
  db.selectFrom('contact').selectAll().where('userId', '=', userId).executeTakeFirst()

export async function markContactDeleted(trx: Transaction<Database>, userId: string) {
  await trx.updateTable('contact').set({ deletedAt: sql`now()` }).where('userId', '=', userId).execute()
}

/** Erases deleted people whom no open line needs any more. */
export async function eraseContacts(trx: Transaction<Database>, userIds: string[]) {
  const { rows } = await sql<{ email: string }>`
    delete from contact where user_id = any(${userIds}::uuid[]) and deleted_at is not null
      and not exists (select from open_line where buyer_id = contact.user_id or seller_id = contact.user_id)
    returning email`.execute(trx)
  await forgetMailsTo(
    trx,
    rows.map(({ email }) => email),
  )
}
