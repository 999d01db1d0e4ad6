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

/** Counts one use, or returns the seconds until the next use is allowed. The caller holds the account's row lock. */
export async function consumeQuota(
  trx: Transaction<Database>,
  accountId: string,
  { action, perHour }: Quota,
): Promise<{ allowed: true } | { allowed: false; retryAfterS: number }> {
  const { rows } = await sql<{ used: number; oldestAgeS: number }>`
    select count(*) as used, coalesce(extract(epoch from now() - min(at)), 0)::float8 as oldest_age_s
    from quota_use where account_id = ${accountId} and action = ${action} and at > now() - interval '1 hour'`.execute(
    trx,
  )
  const { used, oldestAgeS } = rows[0]!
  if (used >= perHour) return { allowed: false, retryAfterS: 3600 - oldestAgeS }
  await trx.insertInto('quotaUse').values({ accountId, action }).execute()
  return { allowed: true }
}
