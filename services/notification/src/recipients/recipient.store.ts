import type { accountChanged } from '@nifty/events/auth'
import { upsertNewer } from '@nifty/service-kit/database/projection'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Static } from 'typebox'
import { deleteContactMessagesOf } from '../contact-messages/contact-message.store.ts'
import type { Database } from '../db.ts'
import { dropWaitingMails } from '../mails/mail.store.ts'
import { eraseMailsOf } from '../mails/retention.ts'

type Account = Static<typeof accountChanged.data>

/**
 * Stores the newest version of an account, and drops waiting mails of kinds that it switches off. An older version, or
 * one of a deleted account, changes nothing.
 */
export async function saveRecipient(trx: Transaction<Database>, { userId, version, email, notifications }: Account) {
  const { message, follow, salePromotion, companyNews, unsubscribeNews } = notifications
  const row = {
    userId,
    version,
    email,
    wantsMessages: message,
    wantsFollows: follow,
    wantsFavourites: salePromotion,
    wantsNews: companyNews && !unsubscribeNews,
    refusesNews: unsubscribeNews,
  }
  const stored = await upsertNewer<Selectable<Database['recipient']>>(trx, { table: 'recipient', key: 'userId', row })
  if (!stored) return
  const flags = { message, follow, salePromotion }
  const off = (['message', 'follow', 'salePromotion'] as const).filter((list) => !flags[list])
  await dropWaitingMails(
    trx,
    off.map((list) => ({ list, id: userId })),
  )
}

export const findRecipient = (db: Kysely<Database>, userId: string) =>
  db.selectFrom('recipient').selectAll().where('userId', '=', userId).executeTakeFirst()

/** Throws when auth's event has not arrived yet; the message is then retried. */
export async function requireRecipient(trx: Transaction<Database>, userId: string) {
  const recipient = await findRecipient(trx, userId)
  if (!recipient) throw new Error(`no account-changed event for account ${userId} yet`)
  return recipient
}

export async function markRecipientDeleted(trx: Transaction<Database>, userId: string) {
  await trx.updateTable('recipient').set({ deletedAt: sql`now()` }).where('userId', '=', userId).execute()
}

/**
 * Erases deleted accounts without open lines, with their mails and messages, an hour after their deletion: events about
 * a purchase that was under way come from another topic, so they may arrive after the deletion.
 */
export async function eraseDeletedRecipients(db: Kysely<Database>) {
  await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ email: string }>`
      delete from recipient where deleted_at < now() - interval '1 hour'
        and not exists (select from open_line where buyer_id = recipient.user_id or seller_id = recipient.user_id)
      returning email`.execute(trx)
    const emails = rows.map(({ email }) => email)
    await eraseMailsOf(trx, emails)
    await deleteContactMessagesOf(trx, emails)
  })
}
