import { tooMany } from '@nifty/service-kit/base/errors'
import { sha256 } from '@nifty/service-kit/base/secrets'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { delayAfter, type Pace } from './login.ts'

/** Key of the failure counter. `originKey` is empty for all unknown devices and networks together. */
export type Attempt = { subject: string; originKey: string }

/**
 * Counts an attempt as failed before the password is verified, so that concurrent attempts cannot bypass the limit;
 * success clears the counter. Throws 429 while a delay lasts.
 */
export async function countAttempt(trx: Transaction<Database>, { subject, originKey }: Attempt, pace: Pace) {
  // An upsert, so that there is a row to lock even if a concurrent success deletes it. clock_timestamp() is the time
  // after the wait for the lock; now() would be the start of the transaction.
  const { rows } = await sql<{ failures: number; ageS: number; blockedForS: number }>`
    insert into login_failure as counted (subject, origin_key, failures, blocked_until)
    values (${subject}, ${originKey}, 0, clock_timestamp())
    on conflict (subject, origin_key) do update set failures = counted.failures
    returning failures, extract(epoch from clock_timestamp() - failed_at)::float8 as age_s,
      extract(epoch from blocked_until - clock_timestamp())::float8 as blocked_for_s`.execute(trx)
  const { failures, ageS, blockedForS } = rows[0]!
  if (blockedForS > 0) throw tooMany(blockedForS)

  const counted = (ageS > pace.windowS ? 0 : failures) + 1
  await sql`update login_failure
    set failures = ${counted}, failed_at = clock_timestamp(),
      blocked_until = clock_timestamp() + make_interval(secs => ${delayAfter(counted, pace)})
    where subject = ${subject} and origin_key = ${originKey}`.execute(trx)
}

/** For an attempt whose password was not verified. */
export async function undoAttempt(db: Kysely<Database>, { subject, originKey }: Attempt) {
  await sql`update login_failure set failures = greatest(failures - 1, 0), blocked_until = now()
    where subject = ${subject} and origin_key = ${originKey}`.execute(db)
}

export async function clearFailures(trx: Transaction<Database>, { subject, originKey }: Attempt) {
  await trx.deleteFrom('loginFailure').where('subject', '=', subject).where('originKey', '=', originKey).execute()
}

/** Clears the counters of all devices and networks, after a password reset. */
export async function clearAllFailures(trx: Transaction<Database>, accountId: string) {
  await trx.deleteFrom('loginFailure').where('subject', '=', accountId).execute()
}

/** Where an attempt comes from. `device` is the id that the browser stores, if it sent one. */
export type Origin = { network: string; device: string | undefined }

export const networkKey = (accountId: string, network: string) => sha256(`${accountId} network ${network}`)

/** Keys of an account's origin, the device first: it moves between networks. */
const originsOf = (accountId: string, { network, device }: Origin) => [
  ...(device === undefined ? [] : [{ originKey: sha256(`${accountId} device ${device}`), isDevice: true }]),
  { originKey: networkKey(accountId, network), isDevice: false },
]

/** The key of the device, or else of the network, if the account logged in from it before; else the empty text. */
export async function findKnownOrigin(db: Kysely<Database>, accountId: string, origin: Origin) {
  const keys = originsOf(accountId, origin).map(({ originKey }) => originKey)
  const known = await db
    .selectFrom('knownOrigin')
    .select('originKey')
    .where('accountId', '=', accountId)
    .where('originKey', '=', anyOf(keys))
    .execute()
  return keys.find((key) => known.some(({ originKey }) => originKey === key)) ?? ''
}

/** How long an origin is kept after its last log-in. */
export const KNOWN_DAYS = 180

/**
 * Whether the account did not log in from the device before; without a device id, from the network, and always once the
 * account has devices: whoever leaves the id out shows none of them. False for the first log-in of all: the account is
 * younger than this period, and no origin is stored.
 */
export async function isNewDevice(trx: Transaction<Database>, accountId: string, origin: Origin) {
  const [{ originKey, isDevice }] = originsOf(accountId, origin) as [{ originKey: string; isDevice: boolean }]
  const { rows } = await sql<{ isNew: boolean }>`
    select case when exists (select from known_origin where account_id = ${accountId})
      then not exists (select from known_origin where account_id = ${accountId} and origin_key = ${originKey})
        or (not ${isDevice}::boolean and exists (select from known_origin where account_id = ${accountId} and is_device))
      else created_at < now() - make_interval(days => ${KNOWN_DAYS}) end as is_new
    from account where id = ${accountId}`.execute(trx)
  return rows[0]!.isNew
}

export async function saveKnownOrigin(trx: Transaction<Database>, accountId: string, origin: Origin) {
  await trx
    .insertInto('knownOrigin')
    .values(originsOf(accountId, origin).map((known) => ({ accountId, ...known })))
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'originKey'])
        .doUpdateSet((eb) => ({ seenAt: sql`now()`, isDevice: eb.ref('excluded.isDevice') })),
    )
    .execute()
}
