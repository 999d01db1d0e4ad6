import type { Log } from '@nifty/service-kit/base/logs'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** Alert rules and runbooks refer to these names. */
export const alarmNames = [
  'amount_differs',
  'hold_missing',
  'unexpected_capture',
  'paid_after_release',
  'hold_lost',
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
  'webhook_missing',
] as const

type AlarmName = (typeof alarmNames)[number]

export type Alarm = { name: AlarmName; subject: string; orderId: string | null; detail: string }

/** Raises an alarm for an operator. Repetitions for the same name and subject are counted, and logged once. */
export async function raiseAlarm(db: Kysely<Database>, log: Log, { name, subject, orderId, detail }: Alarm) {
  const { times } = await db
    .insertInto('alarm')
    .values({ name, subject, orderId, detail })
    .onConflict((conflict) =>
      conflict.columns(['name', 'subject']).doUpdateSet({ times: sql`alarm.times + 1`, lastAt: sql`now()`, detail }),
    )
    .returning('times')
    .executeTakeFirstOrThrow()
  if (times === 1) log.error({ alarm: name, subject, orderId, detail }, 'alarm raised')
}
