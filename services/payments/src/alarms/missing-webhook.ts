import type { Log } from '@nifty/service-kit/base/logs'
import type { Transaction } from 'kysely'
import type { Database, Order } from '../db.ts'
import { raiseAlarm } from './alarm.store.ts'

const WEBHOOK_WITHIN_MS = 120_000

/** Raises an alarm when a payment was found by polling, two minutes after it was made: its webhook did not arrive. */
export async function alarmMissingWebhook(
  trx: Transaction<Database>,
  log: Log,
  { order, paidAtMs }: { order: Order & { now: Date }; paidAtMs: number | null },
) {
  if (paidAtMs === null || order.now.getTime() - paidAtMs < WEBHOOK_WITHIN_MS) return
  const webhook = await trx
    .selectFrom('stripeInbox')
    .select('eventId')
    .where('sessionId', '=', order.sessionId)
    .where('fetched', '=', false)
    .executeTakeFirst()
  if (webhook) return
  const detail = `paid at ${new Date(paidAtMs).toISOString()}, and no webhook arrived`
  await raiseAlarm(trx, log, { name: 'webhook_missing', subject: order.id, orderId: order.id, detail })
}
