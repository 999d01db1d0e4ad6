import type { DailyFigures } from '@nifty/service-kit/database/statistics'
import { sql } from 'kysely'

export const accountFigures: DailyFigures = {
  firstDay: async (db) => {
    const { rows } = await sql<{ day: string | null }>`
      select (min(created_at) at time zone 'utc')::date::text as day from account`.execute(db)
    return rows[0]!.day
  },
  count: async (db, { start, end }) => {
    const within = (column: 'created_at' | 'email_confirmed_at' | 'deleted_at') => sql`
      ${sql.ref(column)} >= ${start} and ${sql.ref(column)} < ${end}`
    const { rows } = await sql<{ created: number; confirmed: number; deleted: number }>`
      select (select count(*) from account where ${within('created_at')})::int as created,
        (select count(*) from account where ${within('email_confirmed_at')})::int as confirmed,
        (select count(*) from account where ${within('deleted_at')})::int as deleted`.execute(db)
    return rows[0]!
  },
}
