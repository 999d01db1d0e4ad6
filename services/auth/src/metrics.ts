import { measureBacklog } from '@nifty/service-kit/metrics/backlog'
import { collector } from '@nifty/service-kit/metrics/metrics'
import { type Kysely, sql } from 'kysely'
import type { Database } from './db.ts'

/** The queue of password resets, and failing log-ins. */
export const createCollectors = (db: Kysely<Database>) => [
  collector({
    source: 'resets',
    metrics: {
      nifty_reset_requests_waiting: { help: 'Password reset requests in the queue' },
      nifty_reset_requests_oldest_seconds: { help: 'Age of the oldest request in the queue' },
    },
    read: async () => {
      const { count, oldestSeconds } = await measureBacklog(db, {
        table: 'passwordResetRequest',
        since: 'requestedAt',
      })
      return { nifty_reset_requests_waiting: count, nifty_reset_requests_oldest_seconds: oldestSeconds }
    },
  }),
  collector({
    source: 'logins',
    metrics: {
      nifty_log_in_failing_accounts: {
        help: 'Accounts and unknown addresses with failed log-ins in the last 15 minutes',
      },
    },
    read: async () => {
      const { rows } = await sql<{ count: number }>`
        select count(distinct subject)::int as count from login_failure
        where failures > 0 and failed_at > now() - interval '15 minutes'`.execute(db)
      return { nifty_log_in_failing_accounts: rows[0]!.count }
    },
  }),
]
