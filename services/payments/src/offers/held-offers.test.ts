import { listOpenOrders } from '@nifty/api/payments/ops'
import { searchOrders } from '@nifty/api/payments/order-search'
import { getSalesStatistics } from '@nifty/api/statistics'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createCollectors } from '../metrics.ts'
import { findOrder, wakeOrder } from '../orders/order.store.ts'
import { runDueSteps } from '../testing/due-steps.ts'
import { givenOpenOffer } from '../testing/offer.ts'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'

const payments = await startTestPayments({ manual: true })
const { db, deps, peers, sandbox, internal, app } = payments

const run = async (orderId: string) => {
  await wakeOrder(db, orderId)
  await runDueSteps(deps)
}
const givenHeld = async () => {
  const offer = await givenOpenOffer(payments)
  await sandbox.pay(offer.url)
  await run(offer.orderId)
  return offer
}
const [orders] = createCollectors(deps)
const metric = async (name: string) => (await orders!.read())[name]

test('a held offer is in flight: no sale, no difference, and nothing that operators have to look at', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const figures = async () => (await internal(getSalesStatistics, { query: { from: today, to: today } })).periods[0]!
  const before = await figures()
  const { orderId, buyer } = await givenHeld()

  const run1 = await reconcile(payments)
  expect(run1).toMatchObject({ differences: [], ours: { heldCents: 9_000, inFlightCents: 9_000 } })
  expect(await figures()).toEqual(before)
  expect((await internal(listOpenOrders)).orders).toEqual([])
  expect((await internal(listOpenOrders)).openLines).toEqual([{ name: 'held', count: 1 }])
  const found = await internal(searchOrders, { body: { order: orderId } })
  expect(found.orders).toMatchObject([{ kind: 'offer', state: 'held', money: 'held', total: 90 }])
  const exported = await app.inject({ url: '/api/orders/export', headers: peers.steppedUp(buyer.userId) })
  expect(exported.json().records[0]).toMatchObject({ kind: 'order', data: { id: orderId, kind: 'offer', days: 3 } })

  expect(await metric('nifty_bids_held_euros')).toBe(90)
  expect(await metric('nifty_bids_oldest_seconds')).toBeGreaterThan(0)
  expect([await metric('nifty_bids_undecided'), await metric('nifty_orders_authorised_oldest_seconds')]).toEqual([0, 0])
  await sql`update orders set decide_by = now() - interval '1 second' where id = ${orderId}`.execute(db)
  expect(await metric('nifty_bids_undecided')).toBe(1)
  expect((await internal(listOpenOrders)).orders).toMatchObject([{ _id: orderId, kind: 'offer', state: 'held' }])

  peers.acceptOffer(orderId)
  await run(orderId)
  expect(await metric('nifty_bids_held_euros')).toBe(0)
  expect(await metric('nifty_orders_authorised_oldest_seconds')).toBeGreaterThan(0)
  const after = await figures()
  expect([after.ordersStarted - before.ordersStarted, after.ordersPaid - before.ordersPaid]).toEqual([1, 1])
})

test('an offer of days ago counts on the day of its acceptance', async () => {
  const { orderId } = await givenHeld()
  await sql`update orders set created_at = created_at - interval '5 days' where id = ${orderId}`.execute(db)
  const today = new Date().toISOString().slice(0, 10)
  const paid = async () =>
    (await internal(getSalesStatistics, { query: { from: today, to: today } })).periods[0]!.ordersPaid
  const before = await paid()
  peers.acceptOffer(orderId)
  await run(orderId)
  expect(await paid()).toBe(before + 1)
  expect(await findOrder(db, orderId)).toMatchObject({ authorisedAt: expect.any(Date) })
})
