import { measureBacklog } from '@nifty/service-kit/metrics/backlog'
import { collector } from '@nifty/service-kit/metrics/metrics'
import type { Kysely } from 'kysely'
import type { Database } from './db.ts'

/** The queue of password resets. */
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
]
