import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

type Quota = {
  action:
    | 'reset_mail'
    | 'confirmation_mail'
    | 'sign_up_mail'
    | 'new_device_mail'
    | 'sale_mails_off_mail'
    | 'avatar'
    | 'cover'
  perHour: number
}

/**
 * Counts one use, or returns the seconds until the next use is allowed. The caller holds the account's row lock. One
 * statement, also for an id without account, for which nothing is stored.
 */
export async function consumeQuota(
  trx: Transaction<Database>,
  accountId: string,
  { action, perHour }: Quota,
): Promise<{ allowed: true } | { allowed: false; retryAfterS: number }> {
  const { rows } = await sql<{ allowed: boolean; oldestAgeS: number }>`
    with recent as (
      select count(*) < ${perHour} as allowed, coalesce(extract(epoch from now() - min(at)), 0)::float8 as oldest_age_s
      from quota_use where account_id = ${accountId} and action = ${action} and at > now() - interval '1 hour'
    ), stored as (
      insert into quota_use (account_id, action) select id, ${action} from account, recent where id = ${accountId} and allowed
    )
    select * from recent`.execute(trx)
  const { allowed, oldestAgeS } = rows[0]!
  return allowed ? { allowed } : { allowed, retryAfterS: 3600 - oldestAgeS }
}
