import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestPayments } from '../../testing/payments.ts'
import { alarms, givenOpenOrder } from '../../testing/sale.ts'
import { findOrder } from '../order.store.ts'

const payments = await startTestPayments()
const { sandbox, db } = payments

/** An order as it is stored when the processor reported that its session does not exist, although it does. */
async function givenMissedSession() {
  const { orderId, url } = await givenOpenOrder(payments)
  await db.transaction().execute(async (trx) => {
    await sql`update orders set session_id = null, session_url = null, next_run_at = null where id = ${orderId}`.execute(
      trx,
    )
    await trx.updateTable('line').set({ state: 'released', reason: 'expired' }).where('orderId', '=', orderId).execute()
  })
  return { orderId, url }
}

test('a payment of a session that was believed missing is found: its hold is cancelled, with an alarm', async () => {
  const { orderId, url } = await givenMissedSession()

  await sandbox.pay(url)

  await expect.poll(async () => (await findOrder(db, orderId))!.money, { timeout: 30_000 }).toBe('released')
  expect(await alarms(payments)).toEqual(['paid_after_release'])
  expect(await sandbox.totals()).toMatchObject({ held: 12_000, released: 12_000, captured: 0 })
})

test('one event about the intent alone is enough to find it', async () => {
  const { orderId, url } = await givenMissedSession()
  for (const webhook of ['checkout.session.completed', 'payment_intent.created', 'charge.succeeded'])
    await sandbox.fault({ webhook, mode: 'lose' })

  await sandbox.pay(url)

  await expect.poll(async () => (await findOrder(db, orderId))!.money, { timeout: 30_000 }).toBe('released')
  expect(await findOrder(db, orderId)).toMatchObject({ sessionId: null, intentId: expect.any(String) })
})
