import { measureBacklog } from '@nifty/service-kit/base/backlog'
import { collector } from '@nifty/service-kit/base/metrics'
import { countFormer } from '@nifty/service-kit/database/stored-secrets'
import { type Kysely, sql } from 'kysely'
import type { Config } from './config.ts'
import type { Database } from './db.ts'
import { findOutermostTotps } from './second-factors/second-factor.store.ts'
import { isReadable, totpSecrets } from './second-factors/secret.ts'

/** The queue of password resets, failing log-ins, and the key of second factors. */
export const createCollectors = (db: Kysely<Database>, config: Pick<Config, 'secondFactorKeys'>) => [
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
  collector({
    source: 'second_factors',
    metrics: {
      nifty_second_factor_key_wrong: {
        help: '1 if SECOND_FACTOR_KEY does not decrypt the oldest or the newest secret of an authenticator app',
      },
      nifty_former_key_texts: {
        help: 'Stored texts that are not encrypted with the first value of their setting',
      },
    },
    read: async () => {
      const totps = await findOutermostTotps(db)
      return {
        nifty_second_factor_key_wrong: totps.every((totp) => isReadable(totp, config)) ? 0 : 1,
        nifty_former_key_texts: await countFormer(db, totpSecrets, config.secondFactorKeys),
      }
    },
  }),
]
