import type { Log } from '@nifty/service-kit/logs'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

/** Names are stable: alert rules and runbooks go by them. */
export const alarmNames = [
  'amount_differs',
  'captured_unasked',
  'paid_after_release',
  'hold_lost',
  'delivery_slow',
  'delivery_late',
  'delivery_contradiction',
  'capture_refused',
  'written_off',
  'disputed',
  'refund_failed',
  'unknown_session',
  'webhook_missing',
] as const

export type AlarmName = (typeof alarmNames)[number]

export type Alarm = { name: AlarmName; subject: string; orderId: string | null; detail: string }

/** Tells a person. The same thing about the same subject is told once and counted afterwards. */
export async function raiseAlarm(db: Kysely<Database>, log: Log, { name, subject, orderId, detail }: Alarm) {
  const { times } = await db
    .insertInto('alarm')
    .values({ name, subject, orderId, detail })
    .onConflict((conflict) =>
      conflict.columns(['name', 'subject']).doUpdateSet({ times: sql`alarm.times + 1`, lastAt: sql`now()`, detail }),
    )
    .returning('times')
    .executeTakeFirstOrThrow()
  if (times === 1) log.error({ alarm: name, subject, orderId, detail }, 'alarm')
}
