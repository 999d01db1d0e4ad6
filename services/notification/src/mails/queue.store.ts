import { type Keys, unseal } from '@nifty/service-kit/base/secrets'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

const isWaiting = sql`sent_at is null and failed_at is null`
const failedLastDay = sql`failed_at > now() - interval '24 hours'`
const isAlarming = sql`${failedLastDay} and acknowledged_at is null`

/** The mail queue for metrics and operators; the age in seconds, 0 when no mail waits. */
export async function measureMails(db: Kysely<Database>) {
  const { rows: waiting } = await sql<{
    waiting: number
    sending: number
    oldest: Date | null
    oldestSeconds: number
  }>`
    select count(*) as waiting, count(claimed_at) filter (where next_attempt_at > now()) as sending,
      min(queued_at) as oldest, coalesce(extract(epoch from clock_timestamp() - min(queued_at)), 0)::float8 as oldest_seconds
    from mail where ${isWaiting}`.execute(db)
  const { rows: failed } = await sql<{ failedLastDay: number; refusedLastDay: number; acknowledgedLastDay: number }>`
    select count(*) filter (where acknowledged_at is null and failure is distinct from 'refused') as failed_last_day,
      count(*) filter (where acknowledged_at is null and failure = 'refused') as refused_last_day,
      count(acknowledged_at) as acknowledged_last_day
    from mail where ${failedLastDay}`.execute(db)
  return { ...waiting[0]!, ...failed[0]! }
}

const COUNTED = 100

/** Waiting mails whose token the first key does not decrypt, among the oldest hundred with a token. */
export async function countFormerTokens(db: Kysely<Database>, [key]: Keys): Promise<number> {
  const { rows } = await sql<{ sealedToken: string }>`
    select sealed_token from mail where ${isWaiting} and sealed_token is not null
    order by queued_at limit ${COUNTED}`.execute(db)
  return rows.filter(({ sealedToken }) => !opens(sealedToken, [key])).length
}

function opens(sealed: string, keys: Keys) {
  try {
    return unseal(sealed, keys) !== undefined
  } catch {
    return false
  }
}

/** Marks the mails that were given up or refused within 24 hours, and returns how many there were. */
export async function markAcknowledged(trx: Transaction<Database>): Promise<number> {
  const { numAffectedRows } = await sql`update mail set acknowledged_at = now() where ${isAlarming}`.execute(trx)
  return Number(numAffectedRows)
}

/** The error of the oldest waiting mail that has one, else of the mail that was given up last and alarms. */
export async function findMailError(db: Kysely<Database>): Promise<string | null> {
  const { rows } = await sql<{ error: string }>`
    (select error from mail where ${isWaiting} and error is not null order by queued_at limit 1)
    union all
    (select error from mail where ${isAlarming} and error is not null order by failed_at desc limit 1)`.execute(db)
  return rows[0]?.error ?? null
}
