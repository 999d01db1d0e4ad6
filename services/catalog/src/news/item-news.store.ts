import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

type NewsTable = Database['itemNews']
export type ItemNews = Selectable<NewsTable>
type NewNews = { itemId: string; exceptIds: string[]; at: string } & (
  | { what: Exclude<NewsTable['what'], 'cheaper'> }
  | { what: 'cheaper'; formerCents: number }
)

/** Stores what happened, in the transaction of the change, if an account is concerned. */
export async function recordItemNews(trx: Transaction<Database>, news: NewNews) {
  const { itemId, what, exceptIds, at } = news
  const formerCents = what === 'cheaper' ? news.formerCents : null
  const concerned =
    what === 'listed'
      ? sql`select from follow join item on item.creator_id = follow.artist_id where item.id = ${itemId}`
      : sql`select from favourite where item_id = ${itemId}`
  await sql`
    insert into item_news (item_id, what, except_ids, at, former_cents)
    select ${itemId}::uuid, ${what}, ${exceptIds}::uuid[], ${at}::timestamptz, ${formerCents}::integer
    where exists (${concerned})`.execute(trx)
}

/** Whether news waits that no other process works on. */
export async function isNewsDue(db: Kysely<Database>): Promise<boolean> {
  const { rows } = await sql`select from item_news limit 1 for update skip locked`.execute(db)
  return rows.length > 0
}

/** The oldest news that no other process works on. */
export function lockItemNews(trx: Transaction<Database>): Promise<ItemNews | undefined> {
  return trx.selectFrom('itemNews').selectAll().orderBy('id').limit(1).forUpdate().skipLocked().executeTakeFirst()
}

/** The next accounts that the news concerns, in the order of their ids. */
export async function nextConcerned(trx: Transaction<Database>, news: ItemNews, limit: number): Promise<string[]> {
  const { itemId, what, exceptIds, after } = news
  const concerned =
    what === 'listed'
      ? sql`select user_id from follow join item on item.creator_id = follow.artist_id where item.id = ${itemId}`
      : sql`select user_id from favourite where item_id = ${itemId}`
  const { rows } = await sql<{ userId: string }>`
    select user_id from (${concerned}) as concerned
    where user_id > ${after} and user_id <> all(${exceptIds}::uuid[]) order by user_id limit ${limit}`.execute(trx)
  return rows.map(({ userId }) => userId)
}

export async function advanceItemNews(trx: Transaction<Database>, id: number, after: string) {
  await trx.updateTable('itemNews').set({ after }).where('id', '=', id).execute()
}

export async function deleteItemNews(trx: Transaction<Database>, id: number) {
  await trx.deleteFrom('itemNews').where('id', '=', id).execute()
}
