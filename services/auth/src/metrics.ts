import { collector } from '@nifty/service-kit/metrics/metrics'
import { type Kysely, sql } from 'kysely'
import type { Database } from './db.ts'

/** What auth has promised by mail and not asked for yet. */
export const createCollectors = (db: Kysely<Database>) => [
  collector({
    source: 'resets',
    metrics: {
      nifty_reset_requests_waiting: { help: 'Requests for a new password that are not answered yet' },
      nifty_reset_requests_oldest_seconds: { help: 'Age of the oldest of them' },
    },
    read: async () => {
      const { rows } = await sql<{ waiting: number; oldest: number | null }>`
        select count(*) as waiting, extract(epoch from clock_timestamp() - min(requested_at))::float8 as oldest
        from password_reset_request`.execute(db)
      const { waiting, oldest } = rows[0]!
      return { nifty_reset_requests_waiting: waiting, nifty_reset_requests_oldest_seconds: oldest ?? 0 }
    },
  }),
]
