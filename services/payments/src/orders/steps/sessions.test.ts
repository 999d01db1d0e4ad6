import { accountDeleted } from '@nifty/events/auth'
import { delistRequested } from '@nifty/events/catalog'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { givenPayments, type Payments } from '../../testing/payments.ts'
import {
  alarms,
  cancel,
  givenOpenOrder,
  givenPaidOrder,
  lines,
  publishedEvents,
  view,
  waitForLines,
} from '../../testing/sale.ts'

const payments: Payments = await givenPayments()
const { peers, sandbox, hear, db } = payments
const at = new Date().toISOString()

const released = async (orderId: string) =>
  (await publishedEvents(payments, 'order-line-released'))
    .filter(({ data }) => data.orderId === orderId)
    .map(({ data }) => data)

test('a declined card holds nothing, and another one may be tried on the same page', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  expect(await sandbox.pay(url, '4000000000000002')).toMatchObject({ error: { code: 'card_declined' } })
  expect((await lines(payments, orderId))[0]!.state).toBe('awaiting_payment')
  await sandbox.pay(url)
  await waitForLines(payments, orderId, 'authorised')
})

test('going back closes the page, frees the item and charges nothing', async () => {
  const order = await givenOpenOrder(payments)
  const answer = await cancel(payments, order)
  expect(answer.statusCode).toBe(200)
  expect(answer.json()).toMatchObject({ state: 'released', url: null, lines: [{ reason: 'cancelled' }] })
  expect(await released(order.orderId)).toMatchObject([{ reason: 'cancelled', moneyWasHeld: false }])
  expect(await sandbox.pay(order.url)).toHaveProperty('error')

  expect((await cancel(payments, order)).statusCode).toBe(200)
  expect(await released(order.orderId)).toHaveLength(1)
})

test('a page that nobody pays expires by the processor, and frees the item', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  await sandbox.expire(url.split('/').at(-1)!)
  await waitForLines(payments, orderId, 'released')
  expect(await released(orderId)).toMatchObject([{ reason: 'expired', moneyWasHeld: false }])
})

test('a seller who wants the item back gets it while nobody has paid', async () => {
  const { orderId, items } = await givenOpenOrder(payments)
  await hear(messageOf(delistRequested, { itemId: items[0]!.itemId, orderId, at }))
  await waitForLines(payments, orderId, 'released')
  expect(await released(orderId)).toMatchObject([{ reason: 'cancelled' }])
})

test('a seller who wants the item back at the moment of the payment loses to it', async () => {
  await sandbox.fault({ webhook: '*', mode: 'delay', delayMs: 600_000, times: 5 })
  const { orderId, url, items } = await givenOpenOrder(payments)
  await sandbox.pay(url)
  await hear(messageOf(delistRequested, { itemId: items[0]!.itemId, orderId, at }))
  await waitForLines(payments, orderId, 'authorised')
  expect(peers.stopRequests.filter(({ lineId }) => lineId === orderId)).toEqual([])
  await sandbox.heal()
})

test('the buyer who cancels at the moment of the payment wins: the hold is given back, minting never hears of it', async () => {
  await sandbox.fault({ webhook: '*', mode: 'delay', delayMs: 600_000, times: 5 })
  const order = await givenOpenOrder(payments)
  await db.updateTable('orders').set({ nextRunAt: null }).where('id', '=', order.orderId).execute()
  await sandbox.pay(order.url)
  const answer = await cancel(payments, order)
  expect(answer.json()).toMatchObject({ state: 'released' })
  expect(await released(order.orderId)).toMatchObject([{ reason: 'cancelled', moneyWasHeld: true }])
  const authorised = (await publishedEvents(payments, 'order-line-authorised')).map(({ data }) => data.orderId)
  expect(authorised).not.toContain(order.orderId)
  const row = await db.selectFrom('orders').select('money').where('id', '=', order.orderId).executeTakeFirst()
  expect(row).toEqual({ money: 'released' })
  await sandbox.heal()
})

test('somebody who leaves is sold nothing more, but what is paid is delivered', async () => {
  const open = await givenOpenOrder(payments)
  const paid = await givenPaidOrder(payments)
  for (const { buyer } of [open, paid]) {
    const { userId } = buyer
    await hear(messageOf(accountDeleted, { userId, username: '@ben', email: 'b@c.de', firstName: 'Ben', at }))
  }
  await waitForLines(payments, open.orderId, 'released')
  expect((await lines(payments, paid.orderId))[0]!.state).toBe('authorised')
})

test('the name of a seller who leaves goes from what was sold', async () => {
  const order = await givenPaidOrder(payments)
  const { sellerId } = order.items[0]!
  await hear(messageOf(accountDeleted, { userId: sellerId, username: '@cleo', email: 'b@c.de', firstName: 'C', at }))
  expect((await view(payments, order)).lines[0]).toMatchObject({ sellerUsername: null, name: 'Dusk' })
})

test('a hold of another amount than ordered delivers nothing, goes back and raises an alarm', async () => {
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

test('a payment on an order that was released after all is given back, with an alarm', async () => {
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
