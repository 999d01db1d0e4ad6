import { notFound } from '@nifty/service-kit/base/errors'
import { recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { isRepeated, type NewAcknowledgement } from './acknowledgement.ts'
import { type AlarmRow, lockAlarm, storeAcknowledgement } from './alarm.store.ts'

/**
 * The alarm raises no alert until its detail changes, it is raised again after a day without it, or `until`.
 * Idempotent: who acknowledged it first stays, unless the end is another one. Throws 404 `alarm_not_found`.
 */
export async function acknowledgeAlarm(
  trx: Transaction<Database>,
  { name, subject, operator, reason, until }: NewAcknowledgement & { name: string; subject: string },
): Promise<AlarmRow> {
  const alarm = await lockAlarm(trx, name, subject)
  if (!alarm) throw notFound('alarm_not_found', 'No alarm has this name and subject')
  if (isRepeated(alarm, until)) return alarm
  const action = `acknowledge ${name}`
  await recordOperatorAction(trx, { action, subject: alarm.orderId ?? subject, operator, reason })
  return storeAcknowledgement(trx, { name, subject, operator, reason, until })
}
