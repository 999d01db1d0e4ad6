import { measureBacklog } from '@nifty/service-kit/base/backlog'
import { collector } from '@nifty/service-kit/base/metrics'
import { type Kysely, sql } from 'kysely'
import type { Database } from './db.ts'

/** The mail queue. */
export const createCollectors = (db: Kysely<Database>) => [
  collector({
    source: 'mails',
    metrics: {
      nifty_mails_waiting: { help: 'Mails in the queue' },
      nifty_mails_oldest_seconds: { help: 'Age of the oldest mail in the queue' },
      nifty_mails_failed_last_day: { help: 'Mails whose last attempt failed within the last 24 hours' },
    },
    read: async () => {
      const waiting = await measureBacklog(db, {
        table: 'mail',
        since: 'queuedAt',
        where: sql`sent_at is null and failed_at is null`,
      })
      const failed = await measureBacklog(db, {
        table: 'mail',
        since: 'failedAt',
        where: sql`failed_at > now() - interval '24 hours'`,
      })
      return {
        nifty_mails_waiting: waiting.count,
        nifty_mails_oldest_seconds: waiting.oldestSeconds,
        nifty_mails_failed_last_day: failed.count,
      }
    },
  }),
]
