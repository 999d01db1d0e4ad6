import { accountDeleted } from '@nifty/events/auth'
import { delistRequested } from '@nifty/events/catalog'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { type Payments, startTestPayments } from '../../testing/payments.ts'
import {
  alarms,
  cancel,
  cartOf,
  givenOpenOrder,
  givenPaidOrder,
  lines,
  publishedEvents,
  start,
  view,
  waitForLines,
} from '../../testing/sale.ts'

const payments: Payments = await startTestPayments()
const { peers, sandbox, consume, db } = payments
const at = new Date().toISOString()

const released = async (orderId: string) =>
  (await publishedEvents(payments, 'order-line-released'))
    .filter(({ data }) => data.orderId === orderId)
    .map(({ data }) => data)

test('after a declined card another one can be used in the same session', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  expect(await sandbox.pay(url, '4000000000000002')).toMatchObject({ error: { code: 'card_declined' } })
  expect((await lines(payments, orderId))[0]!.state).toBe('awaiting_payment')
  await sandbox.pay(url)
  await waitForLines(payments, orderId, 'authorised')
})

test('the fifth declined card expires the session, and four do not', async () => {
  const [tried, patient] = [await givenOpenOrder(payments), await givenOpenOrder(payments)]
  await sandbox.fault({ webhook: 'payment_intent.payment_failed', mode: 'repeat', copies: 3, times: 4 })
  for (let count = 0; count < 4; count++)
    for (const { url } of [tried, patient]) await sandbox.pay(url, '4000000000000002')
  await sandbox.pay(tried.url, '4000000000009995')

  await waitForLines(payments, tried.orderId, 'released')
  expect(await released(tried.orderId)).toMatchObject([{ reason: 'cancelled', moneyWasHeld: false }])
  expect(await sandbox.pay(tried.url)).toHaveProperty('error')
  await sandbox.pay(patient.url)
  await waitForLines(payments, patient.orderId, 'authorised')
})

test('a cancellation before the payment expires the session, frees the item and charges nothing', async () => {
  const order = await givenOpenOrder(payments)
  const response = await cancel(payments, order)
  expect(response.statusCode).toBe(200)
  expect(response.json()).toMatchObject({ state: 'released', url: null, lines: [{ reason: 'cancelled' }] })
  expect(await released(order.orderId)).toMatchObject([{ reason: 'cancelled', moneyWasHeld: false }])
  expect(await sandbox.pay(order.url)).toHaveProperty('error')

  expect((await cancel(payments, order)).statusCode).toBe(200)
  expect(await released(order.orderId)).toHaveLength(1)
})

test('an unpaid session that the processor expires frees the item', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  await sandbox.expire(url.split('/').at(-1)!)
  await waitForLines(payments, orderId, 'released')
  expect(await released(orderId)).toMatchObject([{ reason: 'expired', moneyWasHeld: false }])
})

test('a delist request cancels an unpaid order', async () => {
  const { orderId, items } = await givenOpenOrder(payments)
  await consume(messageOf(delistRequested, { itemId: items[0]!.itemId, orderId, at }))
  await waitForLines(payments, orderId, 'released')
  expect(await released(orderId)).toMatchObject([{ reason: 'cancelled' }])
})

test('a payment simultaneous with a delist request wins', async () => {
  await sandbox.fault({ webhook: '*', mode: 'delay', delayMs: 600_000, times: 5 })
  const { orderId, url, items } = await givenOpenOrder(payments)
  await sandbox.pay(url)
  await consume(messageOf(delistRequested, { itemId: items[0]!.itemId, orderId, at }))
  await waitForLines(payments, orderId, 'authorised')
  expect(peers.stopRequests.filter(({ lineId }) => lineId === orderId)).toEqual([])
  await sandbox.heal()
})

test('a cancellation by the buyer simultaneous with the payment wins: the hold is released and nothing is delivered', async () => {
  await sandbox.fault({ webhook: '*', mode: 'delay', delayMs: 600_000, times: 5 })
  const order = await givenOpenOrder(payments)
  await db.updateTable('orders').set({ nextRunAt: null }).where('id', '=', order.orderId).execute()
  await sandbox.pay(order.url)
  const response = await cancel(payments, order)
  expect(response.json()).toMatchObject({ state: 'released' })
  expect(await released(order.orderId)).toMatchObject([{ reason: 'cancelled', moneyWasHeld: true }])
  const authorised = (await publishedEvents(payments, 'order-line-authorised')).map(({ data }) => data.orderId)
  expect(authorised).not.toContain(order.orderId)
  const row = await db.selectFrom('orders').select('money').where('id', '=', order.orderId).executeTakeFirst()
  expect(row).toEqual({ money: 'released' })
  await sandbox.heal()
})

test('a deleted account’s unpaid orders are cancelled, its paid ones delivered', async () => {
  const open = await givenOpenOrder(payments)
  const paid = await givenPaidOrder(payments)
  for (const { buyer } of [open, paid]) {
    const { userId } = buyer
    await consume(messageOf(accountDeleted, { userId, username: '@ben', email: 'b@c.de', firstName: 'Ben', at }))
  }
  await waitForLines(payments, open.orderId, 'released')
  expect((await lines(payments, paid.orderId))[0]!.state).toBe('authorised')
})

test('a deleted account’s paid order into custody is cancelled while nothing is signed: no account could reach the work', async () => {
  const buyer = payments.peers.givenBuyer({ wallet: null })
  const item = payments.peers.givenItem()
  const placed = await start(payments, buyer, { ...cartOf(item), deliverTo: 'custody' })
  const { orderId, url } = placed.json() as { orderId: string; url: string }
  await sandbox.pay(url)
  await waitForLines(payments, orderId, 'authorised')
  const { userId } = buyer
  await consume(messageOf(accountDeleted, { userId, username: '@ben', email: 'b@c.de', firstName: 'Ben', at }))
  await waitForLines(payments, orderId, 'released')
  await expect.poll(() => released(orderId)).toMatchObject([{ reason: 'cancelled', moneyWasHeld: true }])
})

test('the name of a deleted seller is erased from sold lines', async () => {
  const order = await givenPaidOrder(payments)
  const { sellerId } = order.items[0]!
  await consume(messageOf(accountDeleted, { userId: sellerId, username: '@cleo', email: 'b@c.de', firstName: 'C', at }))
  expect((await view(payments, order)).lines[0]).toMatchObject({ sellerUsername: null, name: 'Dusk' })
})

test('a hold of another amount than ordered is released with an alarm, and nothing is delivered', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  await db
    .updateTable('orders')
    .set({ totalCents: 11_999 } as never)
    .where('id', '=', orderId)
    .execute()
  await sandbox.pay(url)
  await waitForLines(payments, orderId, 'released')
  await expect
    .poll(
      async () => (await db.selectFrom('orders').select('money').where('id', '=', orderId).executeTakeFirst())?.money,
    )
    .toBe('released')
  expect(await alarms(payments)).toContain('amount_differs')
  const authorised = (await publishedEvents(payments, 'order-line-authorised')).map(({ data }) => data.orderId)
  expect(authorised).not.toContain(orderId)
})

test('a payment on a released order is released with an alarm', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  await db.updateTable('line').set({ state: 'released', reason: 'expired' }).where('orderId', '=', orderId).execute()
  await sandbox.pay(url)
  await expect
    .poll(
      async () => (await db.selectFrom('orders').select('money').where('id', '=', orderId).executeTakeFirst())?.money,
      { timeout: 30_000 },
    )
    .toBe('released')
  expect(await alarms(payments)).toContain('paid_after_release')
})
