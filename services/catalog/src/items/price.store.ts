import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { LOWEST_OF_DAYS, USUAL_FOR_DAYS } from './price.ts'

const today = sql`(clock_timestamp() at time zone 'UTC')::date`

/**
 * The prices of an item, cents: the lowest of 30 days, and the highest of 90 or else the last one, at most the last
 * unusual one that its owner has confirmed.
 */
export type FormerPrices = { lowestCents: number | null; highestCents: number | null }

export async function findFormerPrices(db: Kysely<Database>, itemId: string): Promise<FormerPrices> {
  const { rows } = await sql<FormerPrices>`
    select min(lowest_cents) filter (where day >= ${today} - ${LOWEST_OF_DAYS}::int) as lowest_cents,
      coalesce(
        max(highest_cents) filter (where day >= ${today} - ${USUAL_FOR_DAYS}::int),
        (array_agg(highest_cents order by day desc))[1]) as highest_cents
    from daily_price where item_id = ${itemId}`.execute(db)
  return rows[0]!
}

/** Records prices, cents, at which an item is for sale today, or was until now. One row per item and UTC day. */
export async function recordPrices(trx: Transaction<Database>, itemId: string, cents: number[]) {
  const [lowest, highest] = [Math.min(...cents), Math.max(...cents)]
  await sql`
    with old as (delete from daily_price where item_id = ${itemId} and day < ${today} - ${USUAL_FOR_DAYS}::int)
    insert into daily_price (item_id, day, lowest_cents, highest_cents)
    values (${itemId}, ${today}, ${lowest}, ${highest})
    on conflict (item_id, day) do update set lowest_cents = least(daily_price.lowest_cents, excluded.lowest_cents),
      highest_cents = greatest(daily_price.highest_cents, excluded.highest_cents)`.execute(trx)
}

/** The owner has confirmed an unusual price: it is the usual one from now on. */
export async function lowerUsualPrice(trx: Transaction<Database>, itemId: string, cents: number) {
  await sql`update daily_price set highest_cents = least(highest_cents, ${cents}) where item_id = ${itemId}`.execute(
    trx,
  )
}
