import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

type Quota = {
  action:
    | 'confirmation_mail'
    | 'sign_up_mail'
    | 'new_device_mail'
    | 'sale_mails_off_mail'
    | 'wrong_code_mail'
    | 'data_exported_mail'
    | 'session'
    | 'password_change'
    | 'avatar'
    | 'cover'
    | 'seller_application'
} & ({ perHour: number } | { perDay: number })

/**
 * Counts one use, or returns the seconds until the next use is allowed. The caller holds the account's row lock. One
 * statement, also for an id without account, for which nothing is stored.
 */
export async function consumeQuota(
  trx: Transaction<Database>,
  accountId: string,
  { action, ...limit }: Quota,
): Promise<{ allowed: true } | { allowed: false; retryAfterS: number }> {
  const [uses, hours] = 'perHour' in limit ? [limit.perHour, 1] : [limit.perDay, 24]
  const { rows } = await sql<{ allowed: boolean; oldestAgeS: number }>`
    with recent as (
      select count(*) < ${uses} as allowed, coalesce(extract(epoch from now() - min(at)), 0)::float8 as oldest_age_s
      from quota_use where account_id = ${accountId} and action = ${action}
        and at > now() - make_interval(hours => ${hours})
    ), stored as (
      insert into quota_use (account_id, action) select id, ${action} from account, recent where id = ${accountId} and allowed
    )
    select * from recent`.execute(trx)
  const { allowed, oldestAgeS } = rows[0]!
  return allowed ? { allowed } : { allowed, retryAfterS: hours * 3600 - oldestAgeS }
}

/** Forgets all uses of one quota. */
export async function clearQuota(trx: Transaction<Database>, accountId: string, action: Quota['action']) {
  await trx.deleteFrom('quotaUse').where('accountId', '=', accountId).where('action', '=', action).execute()
}

/**
 * Reset mails of an account from networks that it did not log in from, as a multiple of those without regard to
 * networks.
 */
const STRANGERS_SHARE = 10

/**
 * Counts one mail with a reset link; false beyond the quota. A network that the account logged in from (`originKey`,
 * as in known_origin) has all of its own; of others each site (`siteKey`) has one left when the account's are used up,
 * as a home has many networks of IPv6. One statement, also for an id without account, for which nothing is stored.
 */
export async function consumeResetQuota(
  trx: Transaction<Database>,
  accountId: string,
  { originKey, siteKey, perHour }: { originKey: string; siteKey: string; perHour: number },
): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    with known as (
      select exists (select from known_origin where account_id = ${accountId} and origin_key = ${originKey}) as is_known
    ), origin as (
      select is_known, case when is_known then ${originKey} else ${siteKey} end as key from known
    ), recent as (
      select count(*) as uses, count(*) filter (where origin_key = (select key from origin)) as own
      from quota_use where account_id = ${accountId} and action = 'reset_mail' and at > now() - interval '1 hour'
    ), decided as (
      select key, own < ${perHour} and (
        uses < ${perHour} or is_known or own = 0 and uses < ${perHour * STRANGERS_SHARE}) as allowed
      from recent, origin
    ), stored as (
      insert into quota_use (account_id, action, origin_key)
      select id, 'reset_mail', key from account, decided where id = ${accountId} and allowed
    )
    select allowed from decided`.execute(trx)
  return rows[0]!.allowed
}
