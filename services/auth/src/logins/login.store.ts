import { tooMany } from '@nifty/service-kit/errors'
import { sha256 } from '@nifty/service-kit/secrets'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { delayAfter, WINDOW_S } from './login.ts'

/** Key of the failure counter. `networkKey` is empty for all unknown networks together. */
export type Attempt = { subject: string; networkKey: string }

/**
 * Counts an attempt as failed before the password is verified, so that concurrent attempts cannot bypass the limit;
 * success clears the counter. Throws 429 while the delay lasts. From `failuresBeforeDelay` on, each failure is followed by a delay.
 */
export async function countAttempt(
  trx: Transaction<Database>,
  { subject, networkKey }: Attempt,
  failuresBeforeDelay: number,
) {
  // An upsert, so that there is a row to lock even if a concurrent success deletes it. clock_timestamp() is the time
  // after the wait for the lock; now() would be the start of the transaction.
  const { rows } = await sql<{ failures: number; ageS: number; blockedForS: number }>`
    insert into login_failure as counted (subject, network_key, failures, blocked_until)
    values (${subject}, ${networkKey}, 0, clock_timestamp())
    on conflict (subject, network_key) do update set failures = counted.failures
    returning failures, extract(epoch from clock_timestamp() - failed_at)::float8 as age_s,
      extract(epoch from blocked_until - clock_timestamp())::float8 as blocked_for_s`.execute(trx)
  const { failures, ageS, blockedForS } = rows[0]!
  if (blockedForS > 0) throw tooMany(blockedForS)

  const counted = (ageS > WINDOW_S ? 0 : failures) + 1
  await sql`update login_failure
    set failures = ${counted}, failed_at = clock_timestamp(),
      blocked_until = clock_timestamp() + make_interval(secs => ${delayAfter(counted, failuresBeforeDelay)})
    where subject = ${subject} and network_key = ${networkKey}`.execute(trx)
}

/** For an attempt whose password was not verified. */
export async function undoAttempt(db: Kysely<Database>, { subject, networkKey }: Attempt) {
  await sql`update login_failure set failures = greatest(failures - 1, 0), blocked_until = now()
    where subject = ${subject} and network_key = ${networkKey}`.execute(db)
}

export async function clearFailures(trx: Transaction<Database>, { subject, networkKey }: Attempt) {
  await trx.deleteFrom('loginFailure').where('subject', '=', subject).where('networkKey', '=', networkKey).execute()
}

/** Clears the counters of all networks, after a password reset. */
export async function clearAllFailures(trx: Transaction<Database>, accountId: string) {
  await trx.deleteFrom('loginFailure').where('subject', '=', accountId).execute()
}

const keyOfNetwork = (accountId: string, network: string) => sha256(`${accountId} ${network}`)

/** The key of the network if the account logged in from it before, else the empty text. */
export async function findKnownNetwork(db: Kysely<Database>, accountId: string, network: string) {
  const networkKey = keyOfNetwork(accountId, network)
  const known = await db
    .selectFrom('knownNetwork')
    .select('networkKey')
    .where('accountId', '=', accountId)
    .where('networkKey', '=', networkKey)
    .executeTakeFirst()
  return known?.networkKey ?? ''
}

export async function saveKnownNetwork(trx: Transaction<Database>, accountId: string, network: string) {
  await trx
    .insertInto('knownNetwork')
    .values({ accountId, networkKey: keyOfNetwork(accountId, network) })
    .onConflict((conflict) => conflict.columns(['accountId', 'networkKey']).doUpdateSet({ seenAt: sql`now()` }))
    .execute()
}
