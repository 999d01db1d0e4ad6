import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Item } from '../db.ts'

export function findItem(db: Kysely<Database>, id: string): Promise<Item | undefined> {
  return db.selectFrom('item').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findItemOfToken(db: Kysely<Database>, token: string): Promise<Item | undefined> {
  return db.selectFrom('item').selectAll().where('token', '=', token).executeTakeFirst()
}

export function findItems(db: Kysely<Database>, ids: string[]): Promise<Item[]> {
  return db.selectFrom('item').selectAll().where('id', '=', anyOf(ids)).execute()
}

/** Whether any item belongs to this contract. `contract` is lower case. */
export async function hasContract(db: Kysely<Database>, contract: string): Promise<boolean> {
  const { rows } = await sql`
    select from item where token > ${`${contract}/`} and token < ${`${contract}0`} limit 1`.execute(db)
  return rows.length > 0
}

export function lockItem(trx: Transaction<Database>, id: string): Promise<Item | undefined> {
  return trx.selectFrom('item').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export function lockItemOfAuction(trx: Transaction<Database>, auctionId: string): Promise<Item | undefined> {
  return trx
    .selectFrom('item')
    .selectAll()
    .where('id', '=', (eb) => eb.selectFrom('auction').select('itemId').where('auction.id', '=', auctionId))
    .forUpdate()
    .executeTakeFirst()
}

export function lockItemOfToken(trx: Transaction<Database>, token: string): Promise<Item | undefined> {
  return trx.selectFrom('item').selectAll().where('token', '=', token).forUpdate().executeTakeFirst()
}

/** Ordered by id, as in every function that locks several items, which rules out deadlocks. */
export function lockItems(trx: Transaction<Database>, ids: string[]): Promise<Item[]> {
  return trx.selectFrom('item').selectAll().where('id', '=', anyOf(ids)).orderBy('id').forUpdate().execute()
}

const isInTrade = sql<boolean>`(for_sale or reserved_order is not null or list_when_owned
  or offer_minimum_cents is not null or auction_id is not null
  or exists (select from offer where item_id = item.id and state in ('started', 'open')))`

/** The items of an owner that are sold in some way, or reserved, or to be listed. */
export function lockItemsOfOwner(trx: Transaction<Database>, ownerId: string): Promise<Item[]> {
  return trx
    .selectFrom('item')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where(isInTrade)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The items for which an account has undecided offers or bids, and those of `lockItemsOfOwner`. */
export function lockItemsOfBuyer(trx: Transaction<Database>, buyerId: string): Promise<Item[]> {
  const wanted = sql`
    select item_id from offer where buyer_id = ${buyerId} and state in ('started', 'open')
    union all select item_id from bid join auction on auction.id = auction_id
      where bidder_id = ${buyerId} and bid.state in ('started', 'leading')
    union all select id from item where owner_id = ${buyerId} and ${isInTrade}`
  return trx.selectFrom('item').selectAll().where(sql<boolean>`id in (${wanted})`).orderBy('id').forUpdate().execute()
}

/** Items whose mint requested a listing that is still pending. */
export function lockItemsToList(trx: Transaction<Database>, ownerId: string): Promise<Item[]> {
  return trx
    .selectFrom('item')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where('listWhenOwned', '=', true)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export async function saveItem(trx: Transaction<Database>, { id, ...item }: Item) {
  await trx.updateTable('item').set(item).where('id', '=', id).execute()
}
