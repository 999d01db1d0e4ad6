import { collector } from '@nifty/service-kit/base/metrics'
import type { Keys } from '@nifty/service-kit/base/secrets'
import type { Kysely } from 'kysely'
import type { Database } from './db.ts'
import { countFormerTokens, measureMails } from './mails/queue.store.ts'

/** The mail queue. */
export const createCollectors = (db: Kysely<Database>, mailTokenKeys: Keys) => [
  collector({
    source: 'mails',
    metrics: {
      nifty_mails_waiting: { help: 'Mails in the queue' },
      nifty_mails_oldest_seconds: { help: 'Age of the oldest mail in the queue' },
      nifty_mails_failed_last_day: {
        help: 'Mails given up within the last 24 hours that no operator acknowledged, without refused ones',
      },
      nifty_mails_refused_last_day: {
        help: 'Mails that the mail server refused for good within the last 24 hours and no operator acknowledged',
      },
      nifty_former_key_texts: {
        help: 'Tokens of the oldest hundred waiting mails that the first value of MAIL_TOKEN_KEY does not decrypt',
      },
    },
    read: async () => {
      const { waiting, oldestSeconds, failedLastDay, refusedLastDay } = await measureMails(db)
      return {
        nifty_mails_waiting: waiting,
        nifty_mails_oldest_seconds: oldestSeconds,
        nifty_mails_failed_last_day: failedLastDay,
        nifty_mails_refused_last_day: refusedLastDay,
        nifty_former_key_texts: await countFormerTokens(db, mailTokenKeys),
      }
    },
  }),
]
