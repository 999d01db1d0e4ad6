import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, Item } from '../db.ts'

export function findItem(db: Kysely<Database>, id: string): Promise<Item | undefined> {
  return db.selectFrom('item').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findItemOfToken(db: Kysely<Database>, token: string): Promise<Item | undefined> {
  return db.selectFrom('item').selectAll().where('token', '=', token).executeTakeFirst()
}

export function findItems(db: Kysely<Database>, ids: string[]): Promise<Item[]> {
  return db.selectFrom('item').selectAll().where('id', 'in', ids).execute()
}

/** Works of any contract that the store sells from. */
export async function knowsContract(db: Kysely<Database>, contract: string): Promise<boolean> {
  const { rows } = await sql`
    select from item where token > ${`${contract}/`} and token < ${`${contract}0`} limit 1`.execute(db)
  return rows.length > 0
}

export function lockItem(trx: Transaction<Database>, id: string): Promise<Item | undefined> {
  return trx.selectFrom('item').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

export function lockItemOfToken(trx: Transaction<Database>, token: string): Promise<Item | undefined> {
  return trx.selectFrom('item').selectAll().where('token', '=', token).forUpdate().executeTakeFirst()
}

/** In the order of their ids, like everyone who locks several, so that nobody waits in a circle. */
export function lockItems(trx: Transaction<Database>, ids: string[]): Promise<Item[]> {
  return trx.selectFrom('item').selectAll().where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

export function lockItemsOfOwner(trx: Transaction<Database>, ownerId: string): Promise<Item[]> {
  return trx
    .selectFrom('item')
    .selectAll()
    .where('ownerId', '=', ownerId)
    .where((eb) =>
      eb.or([eb('forSale', '=', true), eb('reservedOrder', 'is not', null), eb('listWhenOwned', '=', true)]),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Works in custody whose mint asked for a listing that could not be made yet. */
export function itemsToList(trx: Transaction<Database>, ownerId: string): Promise<Item[]> {
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

export type Past = {
  itemId: string
  what: 'minted' | 'listed' | 'moved' | 'sold'
  happenedAt: string
  userId: string | null
  priceCents?: number
  txHash?: string
}

/** A sale is what people want to read of its transaction; the bare move says less, and a repetition nothing. */
export async function recordPast(trx: Transaction<Database>, { priceCents, txHash, ...past }: Past) {
  const row = { ...past, priceCents: priceCents ?? null, txHash: txHash ?? null }
  await trx
    .insertInto('itemHistory')
    .values(row)
    .onConflict((conflict) =>
      past.what === 'sold'
        ? conflict.columns(['itemId', 'txHash']).doUpdateSet({ ...row, what: 'sold' })
        : conflict.columns(['itemId', 'txHash']).doNothing(),
    )
    .execute()
}
