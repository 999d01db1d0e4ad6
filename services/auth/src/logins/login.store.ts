import { tooMany } from '@nifty/service-kit/errors'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { digest } from '../secrets.ts'
import { delayAfter, WINDOW_S } from './login.ts'

/** Whose failures are counted, and from where: `device` is empty for all unknown places together. */
export type Attempt = { subject: string; device: string }

/**
 * Counts an attempt as failed before its password is looked at, so that many at once cannot slip through; success
 * forgets it. Throws 429 while the delay lasts.
 */
export async function takeAttempt(trx: Transaction<Database>, { subject, device }: Attempt, free: number) {
  // One statement, so that there is a row to lock even when a success forgets it at this moment. The time is that after
  // the wait for the lock, not that of the transaction's start.
  const { rows } = await sql<{ failures: number; ageS: number; blockedForS: number }>`
    insert into login_failure as counted (subject, device, failures, blocked_until)
    values (${subject}, ${device}, 0, clock_timestamp())
    on conflict (subject, device) do update set failures = counted.failures
    returning failures, extract(epoch from clock_timestamp() - failed_at)::float8 as age_s,
      extract(epoch from blocked_until - clock_timestamp())::float8 as blocked_for_s`.execute(trx)
  const { failures, ageS, blockedForS } = rows[0]!
  if (blockedForS > 0) throw tooMany(blockedForS)

  const counted = (ageS > WINDOW_S ? 0 : failures) + 1
  await sql`update login_failure
    set failures = ${counted}, failed_at = clock_timestamp(),
      blocked_until = clock_timestamp() + make_interval(secs => ${delayAfter(counted, free)})
    where subject = ${subject} and device = ${device}`.execute(trx)
}

/** The password was never looked at. */
export async function giveBackAttempt(db: Kysely<Database>, { subject, device }: Attempt) {
  await sql`update login_failure set failures = greatest(failures - 1, 0), blocked_until = now()
    where subject = ${subject} and device = ${device}`.execute(db)
}

export async function forgetFailures(trx: Transaction<Database>, { subject, device }: Attempt) {
  await trx.deleteFrom('loginFailure').where('subject', '=', subject).where('device', '=', device).execute()
}

/** All places together: after a reset by mail its owner starts anew. */
export async function forgetAllFailures(trx: Transaction<Database>, accountId: string) {
  await trx.deleteFrom('loginFailure').where('subject', '=', accountId).execute()
}

const deviceKey = (accountId: string, network: string) => digest(`${accountId} ${network}`)

/** The place's key when this account logged in from there before, else the empty one. */
export async function findDevice(db: Kysely<Database>, accountId: string, network: string) {
  const device = deviceKey(accountId, network)
  const known = await db
    .selectFrom('knownDevice')
    .select('device')
    .where('accountId', '=', accountId)
    .where('device', '=', device)
    .executeTakeFirst()
  return known?.device ?? ''
}

export async function rememberDevice(trx: Transaction<Database>, accountId: string, network: string) {
  await trx
    .insertInto('knownDevice')
    .values({ accountId, device: deviceKey(accountId, network) })
    .onConflict((conflict) => conflict.columns(['accountId', 'device']).doUpdateSet({ seenAt: sql`now()` }))
    .execute()
}
