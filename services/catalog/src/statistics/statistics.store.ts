import type { DailyFigures, Figures } from '@nifty/service-kit/database/statistics'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** Highest prices of the bands in cents; the last band has none. */
export const PRICE_BANDS = [5_000, 10_000, 25_000, 50_000, 100_000, 500_000]

type Sale = { category: string; creatorId: string; band: number; sold: number; cents: number }

/** Cents. Of a resale the turnover is that of the work's artist, too. */
export const marketFigures: DailyFigures = {
  firstDay: async (db) => {
    const { rows } = await sql<{ day: string | null }>`
      select (min(happened_at) at time zone 'utc')::date::text as day from item_history`.execute(db)
    return rows[0]!.day
  },
  count: async (db, { start, end }) => {
    const happened = sql`happened_at >= ${start} and happened_at < ${end}`
    const { rows: counts } = await sql<{ minted: number; listed: number; favourites: number }>`
      select count(*) filter (where what = 'minted')::int as minted, count(*) filter (where what = 'listed')::int as listed,
        (select count(*)::int from favourite where created_at >= ${start} and created_at < ${end}) as favourites
      from item_history where ${happened}`.execute(db)
    const { rows: sales } = await sql<Sale>`
      select category, creator_id, width_bucket(history.price_cents - 1, ${PRICE_BANDS}::int[]) as band,
        count(*)::int as sold, sum(history.price_cents)::float8 as cents
      from item_history history join item on item.id = item_id
      where what = 'sold' and history.price_cents is not null and ${happened}
      group by category, creator_id, band`.execute(db)
    const grouped = (word: (sale: Sale) => string): Figures => {
      const groups: Record<string, { sold: number; cents: number }> = {}
      for (const sale of sales) {
        const group = groups[word(sale)] ?? { sold: 0, cents: 0 }
        groups[word(sale)] = group
        group.sold += sale.sold
        group.cents += sale.cents
      }
      return groups
    }
    return {
      ...counts[0]!,
      all: grouped(() => 'all').all ?? { sold: 0, cents: 0 },
      categories: grouped(({ category }) => category),
      bands: grouped(({ band }) => String(band)),
      artists: grouped(({ creatorId }) => creatorId),
    }
  },
}

/** User names by account, without those that are gone. */
export async function usernamesOf(db: Kysely<Database>, userIds: string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ userId: string; username: string }>`
    select user_id, username from account where user_id = any(${userIds}::uuid[]) and username is not null`.execute(db)
  return new Map(rows.map(({ userId, username }) => [userId, username]))
}
