import type { Log } from '@nifty/service-kit/base/logs'
import { anyOf } from '@nifty/service-kit/database/database'
import { type Kysely, type Selectable, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { acknowledgedBy, isAcknowledgedRow, type NewAcknowledgement } from './acknowledgement.ts'

/** Alert rules and runbooks refer to these names. */
export const alarmNames = [
  'amount_differs',
  'hold_missing',
  'unexpected_capture',
  'paid_after_release',
  'hold_lost',
  'bid_undecided',
  'bid_not_found',
  'bid_late_by_us',
  'delivery_slow',
  'delivery_late',
  'delivery_contradiction',
  'capture_refused',
  'cancel_refused',
  'written_off',
  'disputed',
  'fraud_warning',
  'refund_failed',
  'refund_found',
  'unknown_session',
  'session_missing',
  'another_account',
  'key_without_right',
  'cards_not_forgotten',
  'webhook_missing',
] as const

type AlarmName = (typeof alarmNames)[number]

export type Alarm = { name: AlarmName; subject: string; orderId: string | null; detail: string }

export type AlarmRow = Selectable<Database['alarm']>

/** An acknowledgement is of what an operator has read, as long as it goes on. */
const isNews = sql<boolean>`alarm.detail <> excluded.detail or alarm.last_at < now() - interval '1 day'`

/**
 * Raises an alarm for an operator. Repetitions for the same name and subject are counted, and logged once. Another
 * detail, or a repetition after a day without one, ends an acknowledgement. So a detail has no age, which would end it
 * each time.
 */
export async function raiseAlarm(db: Kysely<Database>, log: Log, { name, subject, orderId, detail }: Alarm) {
  const { times } = await db
    .insertInto('alarm')
    .values({ name, subject, orderId, detail })
    .onConflict((conflict) =>
      conflict.columns(['name', 'subject']).doUpdateSet({
        times: sql`alarm.times + 1`,
        lastAt: sql`now()`,
        detail,
        acknowledgedAt: sql`case when ${isNews} then null else alarm.acknowledged_at end`,
        acknowledgedBy: sql`case when ${isNews} then null else alarm.acknowledged_by end`,
        acknowledgedReason: sql`case when ${isNews} then null else alarm.acknowledged_reason end`,
        acknowledgedUntil: sql`case when ${isNews} then null else alarm.acknowledged_until end`,
      }),
    )
    .returning('times')
    .executeTakeFirstOrThrow()
  if (times === 1) log.error({ alarm: name, subject, orderId, detail }, 'alarm raised')
}

export const lockAlarm = (trx: Transaction<Database>, name: string, subject: string): Promise<AlarmRow | undefined> =>
  trx
    .selectFrom('alarm')
    .selectAll()
    .where('name', '=', name)
    .where('subject', '=', subject)
    .forUpdate()
    .executeTakeFirst()

export const storeAcknowledgement = (
  trx: Transaction<Database>,
  { name, subject, ...acknowledgement }: NewAcknowledgement & { name: string; subject: string },
): Promise<AlarmRow> =>
  trx
    .updateTable('alarm')
    .set(acknowledgedBy(acknowledgement))
    .where('name', '=', name)
    .where('subject', '=', subject)
    .returningAll()
    .executeTakeFirstOrThrow()

/** The subjects among these whose alarm of one of the names is acknowledged. */
export async function acknowledgedAmong(
  db: Kysely<Database>,
  names: AlarmName[],
  subjects: string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('alarm')
    .select('subject')
    .where('name', '=', anyOf(names))
    .where('subject', '=', anyOf(subjects))
    .where(isAcknowledgedRow)
    .execute()
  return new Set(rows.map(({ subject }) => subject))
}
