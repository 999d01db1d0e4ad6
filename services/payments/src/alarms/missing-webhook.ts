import type { Log } from '@nifty/service-kit/logs'
import type { Transaction } from 'kysely'
import type { Database, Order } from '../db.ts'
import { raiseAlarm } from './alarm.store.ts'

const SOON_MS = 120_000

/** A payment that we had to find ourselves, long after it was made, says that webhooks do not arrive. */
export async function noticeMissingWebhook(
  trx: Transaction<Database>,
  log: Log,
  { order, paidAtMs }: { order: Order & { now: Date }; paidAtMs: number | null },
) {
  if (paidAtMs === null || order.now.getTime() - paidAtMs < SOON_MS) return
  const told = await trx
    .selectFrom('stripeInbox')
    .select('eventId')
    .where('sessionId', '=', order.sessionId)
    .where('fetched', '=', false)
    .executeTakeFirst()
  if (told) return
  const detail = `paid at ${new Date(paidAtMs).toISOString()}, and no webhook told of it`
  await raiseAlarm(trx, log, { name: 'webhook_missing', subject: order.id, orderId: order.id, detail })
}
