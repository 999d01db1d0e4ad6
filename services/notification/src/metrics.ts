import { collector } from '@nifty/service-kit/metrics/metrics'
import { type Kysely, sql } from 'kysely'
import type { Database } from './db.ts'

/** Mails that have not gone out. */
export const createCollectors = (db: Kysely<Database>) => [
  collector({
    source: 'mails',
    metrics: {
      nifty_mails_waiting: { help: 'Mails in line' },
      nifty_mails_oldest_seconds: { help: 'Age of the oldest mail in line' },
      nifty_mails_failed_last_day: { help: 'Mails that were given up within the last 24 hours' },
    },
    read: async () => {
      const { rows } = await sql<{ waiting: number; oldest: number | null; givenUp: number }>`
        select count(*) as waiting, extract(epoch from clock_timestamp() - min(queued_at))::float8 as oldest,
          (select count(*) from mail where given_up_at > now() - interval '24 hours') as given_up
        from mail where sent_at is null and given_up_at is null`.execute(db)
      const { waiting, oldest, givenUp } = rows[0]!
      return {
        nifty_mails_waiting: waiting,
        nifty_mails_oldest_seconds: oldest ?? 0,
        nifty_mails_failed_last_day: givenUp,
      }
    },
  }),
]
