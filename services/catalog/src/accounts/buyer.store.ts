import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { lockAccount } from './account.store.ts'

type Sale = { sellerId: string; buyerId: string }

/**
 * Records that an account has bought of another one, whose `creator` row the caller has locked. Buyers are counted as
 * persons: accounts that paid with one card are one, and an account that paid with a card of the seller's is none.
 */
export async function addBuyer(trx: Transaction<Database>, { sellerId, buyerId }: Sale) {
  const { rows } = await sql<{ sharesCards: boolean }>`
    insert into seller_buyer (seller_id, buyer_id) values (${sellerId}, ${buyerId}) on conflict do nothing
    returning exists (
      select from account_card own join account_card other on other.card = own.card and other.user_id <> own.user_id
      where own.user_id = buyer_id) as shares_cards`.execute(trx)
  const [added] = rows
  if (!added) return
  if (added.sharesCards) await countBuyers(trx, sellerId)
  else await sql`update creator set buyers = buyers + 1 where user_id = ${sellerId}`.execute(trx)
}

/**
 * Records that an account has paid with a card; counts the buyers of all anew whom that concerns. Of a deleted account
 * no card is stored. Locks the account.
 */
export async function addCard(trx: Transaction<Database>, { userId, card }: { userId: string; card: string }) {
  if ((await lockAccount(trx, userId)).deletedAt !== null) return
  const { rows } = await sql`
    insert into account_card (user_id, card) values (${userId}, ${card}) on conflict do nothing
    returning card`.execute(trx)
  if (rows.length === 0) return
  for (const sellerId of await findSellersOf(trx, userId)) {
    await sql`select from creator where user_id = ${sellerId} for update`.execute(trx)
    await countBuyers(trx, sellerId)
  }
}

/** The account itself, if it has sold works, and the accounts of which it has bought; in the order of their locks. */
async function findSellersOf(db: Kysely<Database>, userId: string): Promise<string[]> {
  const { rows } = await sql<{ userId: string }>`
    select user_id from creator
    where (user_id = ${userId} and buyers > 0)
      or user_id in (select seller_id from seller_buyer where buyer_id = ${userId})
    order by user_id`.execute(db)
  return rows.map((row) => row.userId)
}

async function countBuyers(trx: Transaction<Database>, sellerId: string) {
  await sql`
    update creator set buyers = (
      select count(*) from seller_buyer buyer
      where buyer.seller_id = creator.user_id and not exists (
        select from account_card own join account_card other on other.card = own.card and other.user_id <> own.user_id
        where own.user_id = buyer.buyer_id and (other.user_id = creator.user_id or (
          other.user_id < own.user_id and exists (
            select from seller_buyer earlier
            where earlier.seller_id = creator.user_id and earlier.buyer_id = other.user_id)))))
    where user_id = ${sellerId}`.execute(trx)
}
