import type { DailyFigures } from '@nifty/service-kit/database/statistics'
import { sql } from 'kysely'

/** The smallest id of UUIDs version 7 that were made from this time on: ids of mails begin with their time. */
const firstIdOf = (ms: number) => {
  const digits = ms.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-7000-8000-000000000000`
}

export const mailFigures: DailyFigures = {
  firstDay: async (db) => {
    const { rows } = await sql<{ day: string | null }>`
      select (min(queued_at) at time zone 'utc')::date::text as day from mail
      where id = (select id from mail order by id limit 1)`.execute(db)
    return rows[0]!.day
  },
  count: async (db, { start, end }) => {
    const [first, last] = [firstIdOf(start.getTime()), firstIdOf(end.getTime())]
    const { rows } = await sql<{ mails: number; mailsSent: number; mailsFailed: number; contactMessages: number }>`
      select count(*)::int as mails, count(sent_at)::int as mails_sent, count(failed_at)::int as mails_failed,
        (select count(*) from contact_message where id >= ${first} and id < ${last})::int as contact_messages
      from mail where id >= ${first} and id < ${last}`.execute(db)
    return rows[0]!
  },
}
