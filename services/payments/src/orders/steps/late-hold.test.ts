import { listOpenOrders } from '@nifty/api/payments/ops'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestPayments } from '../../testing/payments.ts'
import { callProcessor } from '../../testing/reconciliation.ts'
import { alarms, failedFor, givenOpenOrder, lines, publishedEvents, startedFor } from '../../testing/sale.ts'
import { findOrder } from '../order.store.ts'
import { runStep } from '../run-step.ts'

const payments = await startTestPayments({ manual: true })
const { peers, sandbox, db, deps } = payments

/** A paid order whose delivery minting has signed. */
async function givenSignedOrder() {
  const { orderId, url } = await givenOpenOrder(payments)
  await sandbox.pay(url)
  await runStep(deps, orderId)
  const line = (await lines(payments, orderId))[0]!
  peers.signedLines.add(line.id)
  await payments.consume(startedFor(line))
  return { orderId, intentId: (await findOrder(db, orderId))!.intentId! }
}

test('a hold that lapses after the deadline of a signed delivery is noticed', async () => {
  const { orderId, intentId } = await givenSignedOrder()
  await db
    .updateTable('orders')
    .set({ deliverBy: sql`now() - interval '1 second'` })
    .where('id', '=', orderId)
    .execute()
  await runStep(deps, orderId)
  expect(await alarms(payments)).not.toContain('hold_lost')

  await sandbox.lapse(intentId)
  for (let steps = 0; steps < 3; steps++) await runStep(deps, orderId)

  expect(await findOrder(db, orderId)).toMatchObject({ money: 'lapsed' })
  expect(await alarms(payments)).toContain('hold_lost')
  expect(peers.stopRequests.length).toBeGreaterThan(1)
})

test('a hold that is cancelled while a delivery is signed stops the delivery, and the line is released', async () => {
  const { orderId, intentId } = await givenSignedOrder()
  await callProcessor(payments, `/v1/payment_intents/${intentId}/cancel`)
  const line = (await lines(payments, orderId))[0]!
  for (let steps = 0; steps < 2; steps++) await runStep(deps, orderId)
  expect(peers.stopRequests.filter(({ lineId }) => lineId === line.id)).toMatchObject([{ reason: 'hold_lost' }])
  expect((await lines(payments, orderId))[0]).toMatchObject({ state: 'delivering' })

  await payments.consume(failedFor(line, 'deadline'))
  await runStep(deps, orderId)
  expect((await lines(payments, orderId))[0]).toMatchObject({ state: 'released', note: 'hold lost' })
  const ofOrder = await db.selectFrom('alarm').select('name').where('orderId', '=', orderId).execute()
  expect(ofOrder).toEqual([{ name: 'hold_lost' }])
})

test('a hold that ends while the nonce of a cancelled delivery is being used is noticed', async () => {
  const { orderId, intentId } = await givenSignedOrder()
  await db.updateTable('orders').set({ cancelRequestedBy: 'operator' }).where('id', '=', orderId).execute()
  await runStep(deps, orderId)
  expect(await findOrder(db, orderId)).toMatchObject({ money: 'held', cancelRequestedBy: 'operator' })

  await sandbox.lapse(intentId)
  await runStep(deps, orderId)
  expect(await findOrder(db, orderId)).toMatchObject({ money: 'lapsed', cancelRequestedBy: 'operator' })
})

test('a hold that lapses while minting cannot say whether the line was delivered is noticed', async () => {
  const { orderId, intentId } = await givenSignedOrder()
  const line = (await lines(payments, orderId))[0]!
  peers.pendingLines.add(line.id)
  await db
    .updateTable('orders')
    .set({ deliverBy: sql`now() - interval '1 second'` })
    .where('id', '=', orderId)
    .execute()
  await sandbox.lapse(intentId)

  for (let steps = 0; steps < 2; steps++) await runStep(deps, orderId)

  expect(await findOrder(db, orderId)).toMatchObject({ money: 'lapsed' })
  expect((await lines(payments, orderId))[0]).toMatchObject({ state: 'delivering' })
  const ofOrder = await db.selectFrom('alarm').select('name').where('orderId', '=', orderId).execute()
  expect(ofOrder.map(({ name }) => name).toSorted()).toEqual(['delivery_late', 'hold_lost'])
  peers.pendingLines.clear()
})

test('the end of a hold is stored, and a hold that ends within a day is counted and listed with its order', async () => {
  const { orderId } = await givenSignedOrder()
  const { authorisedAt, captureBefore } = (await findOrder(db, orderId))!
  const days = (captureBefore!.getTime() - authorisedAt!.getTime()) / 86_400_000
  expect(Math.round(days)).toBe(7)
  expect(await endingHolds()).toEqual(['0', captureBefore!.toISOString()])

  await sql`update orders set capture_before = now() + interval '23 hours' where id = ${orderId}`.execute(db)

  await expect.poll(endingHolds, { timeout: 30_000 }).toEqual(['1', expect.any(String)])

  async function endingHolds() {
    const metrics = await (await fetch(`${payments.internalUrl}/metrics`)).text()
    const { orders } = await payments.internal(listOpenOrders)
    const order = orders.find(({ _id }) => _id === orderId)
    return [/^nifty_orders_hold_ending (.*)$/m.exec(metrics)?.[1], order?.holdEndsAt]
  }
})

test('a delivery has to be final while there is time to capture a hold that ends earlier than usual', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  await sandbox.pay(url)
  const endsAt = Date.now() + 5 * 3_600_000
  const session = async (id: string) => {
    const read = await deps.processor.session(id)
    return { ...read, hold: { ...read.hold!, captureBeforeMs: endsAt } }
  }
  await runStep({ ...deps, processor: { ...deps.processor, session } }, orderId)

  const deliverBy = (await findOrder(db, orderId))!.deliverBy!.toISOString()
  expect(deliverBy).toBe(new Date(endsAt - 3_600_000).toISOString())
  expect((await publishedEvents(payments, 'order-line-authorised')).at(-1)!.data).toMatchObject({ orderId, deliverBy })
})
