import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

/** Ids of the works, the latest favourite first, without hidden works. */
export async function favouritesOf(db: Kysely<Database>, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('favourite')
    .innerJoin('item', 'item.id', 'favourite.itemId')
    .select('favourite.itemId')
    .where('favourite.userId', '=', userId)
    .where('item.hiddenAt', 'is', null)
    .orderBy('favourite.createdAt', 'desc')
    .orderBy('favourite.itemId')
    .execute()
  return rows.map(({ itemId }) => itemId)
}

export async function countFavourites(trx: Transaction<Database>, userId: string): Promise<number> {
  const { count } = await trx
    .selectFrom('favourite')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function hasFavourite(trx: Transaction<Database>, userId: string, itemId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('favourite')
    .select('itemId')
    .where('userId', '=', userId)
    .where('itemId', '=', itemId)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertFavourite(trx: Transaction<Database>, userId: string, itemId: string) {
  await trx.insertInto('favourite').values({ userId, itemId }).execute()
}

/**
 * Adds the first `atMost` of these works that are neither hidden nor favourites yet, and returns how many. Their order
 * is kept: the first one counts as the latest.
 */
export async function insertFavourites(
  trx: Transaction<Database>,
  userId: string,
  { itemIds, atMost }: { itemIds: string[]; atMost: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into favourite (user_id, item_id, created_at)
    select ${userId}::uuid, item.id, clock_timestamp() - chosen.place * interval '1 ms'
    from (select id, min(place) as place from unnest(${itemIds}::uuid[]) with ordinality as given (id, place) group by id) chosen
    join item on item.id = chosen.id
    where item.hidden_at is null
      and not exists (select from favourite where user_id = ${userId} and item_id = item.id)
    order by chosen.place limit ${atMost}`.execute(trx)
  return Number(numAffectedRows ?? 0)
}

/** False if it was none. */
export async function deleteFavourite(trx: Transaction<Database>, userId: string, itemId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('favourite')
    .where('userId', '=', userId)
    .where('itemId', '=', itemId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
