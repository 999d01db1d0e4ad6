import { sha256 } from '@nifty/service-kit/base/secrets'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { countBoughtGifts, countLinks, countLinksTo } from './gift.store.ts'

const LINKS_PER_DAY = 10
/** From all givers together, so that no mailbox is filled with gifts. */
const LINKS_PER_RECIPIENT_AND_DAY = 5

/** The same for all addresses of one mailbox: without the part from a plus sign on, which many providers ignore. */
export const recipientOf = (email: string) => sha256(email.toLowerCase().replace(/\+[^@]*/, ''))

type Mail = { giverId: string; email: string }

/** Whether one more link may be mailed today. Serialises what is mailed to one recipient. */
export async function mayMailLink(trx: Transaction<Database>, { giverId, email }: Mail): Promise<boolean> {
  return (await countLinks(trx, giverId)) < LINKS_PER_DAY && (await mayMailTo(trx, email))
}

export async function mayMailTo(trx: Transaction<Database>, email: string): Promise<boolean> {
  const recipient = recipientOf(email)
  await sql`select pg_advisory_xact_lock(hashtextextended(${recipient}, 4715))`.execute(trx)
  return (await countLinksTo(trx, recipient)) < LINKS_PER_RECIPIENT_AND_DAY
}

/** Whether a giver may begin one more gift today. Bought gifts count, whose links are mailed once they are paid. */
export async function mayGive(db: Kysely<Database>, { giverId, email }: Mail): Promise<boolean> {
  const given = (await countLinks(db, giverId)) + (await countBoughtGifts(db, giverId))
  return given < LINKS_PER_DAY && (await countLinksTo(db, recipientOf(email))) < LINKS_PER_RECIPIENT_AND_DAY
}
