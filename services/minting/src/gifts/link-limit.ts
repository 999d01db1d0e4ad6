import { sha256 } from '@nifty/service-kit/base/secrets'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { countBoughtGifts, countGiftLinks, countGiftLinksTo } from './gift.store.ts'

const GIFTS_PER_DAY = 10
/** From all givers together, so that no mailbox is filled with gifts. */
const LINKS_PER_MAILBOX_AND_DAY = 5
/** First links of bought gifts have a limit of their own: links that cost nothing delay none that was paid for. */
const BOUGHT_PER_MAILBOX_AND_DAY = 20

/** The same for all addresses of one mailbox: without the part from a plus sign on, which many providers ignore. */
export const recipientOf = (email: string) => sha256(email.toLowerCase().replace(/\+[^@]*/, ''))

type Mail = { giverId: string; email: string }

/** Serialises what is mailed to one recipient. */
const lockRecipient = (trx: Transaction<Database>, recipient: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${recipient}, 4715))`.execute(trx)

/** Whether one more link of an owned work, or to a corrected address, may be mailed today. Locks the recipient. */
export async function mayMailLink(trx: Transaction<Database>, { giverId, email }: Mail): Promise<boolean> {
  if ((await countGiftLinks(trx, giverId, 'other')) >= GIFTS_PER_DAY) return false
  const recipient = recipientOf(email)
  await lockRecipient(trx, recipient)
  return (await countGiftLinksTo(trx, recipient, 'other')) < LINKS_PER_MAILBOX_AND_DAY
}

/** Whether the first link of a bought gift may be mailed today. Locks the recipient. */
export async function mayMailFirstLink(trx: Transaction<Database>, email: string): Promise<boolean> {
  const recipient = recipientOf(email)
  await lockRecipient(trx, recipient)
  return (await countGiftLinksTo(trx, recipient, 'bought')) < BOUGHT_PER_MAILBOX_AND_DAY
}

/** Whether a giver may buy one more gift today. Those count whose links are mailed once they are paid. */
export async function mayBuyGift(db: Kysely<Database>, { giverId, email }: Mail): Promise<boolean> {
  const bought = (await countGiftLinks(db, giverId, 'bought')) + (await countBoughtGifts(db, giverId))
  if (bought >= GIFTS_PER_DAY) return false
  return (await countGiftLinksTo(db, recipientOf(email), 'bought')) < BOUGHT_PER_MAILBOX_AND_DAY
}
