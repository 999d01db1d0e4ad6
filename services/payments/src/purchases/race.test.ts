import { expect, test } from 'vitest'
import { lockOrder } from '../orders/order.store.ts'
import { givenPayments } from '../testing/payments.ts'
import { wallet } from '../testing/peers.ts'
import { cancel, cartOf, givenOpenOrder, lines, start, untilSomeoneWaits } from '../testing/sale.ts'
import { placeOrder } from './purchase.actions.ts'

const payments = await givenPayments({ quiet: true })
const { peers, db, config } = payments

test('a second click waits for the first one’s order, and is answered the same', async () => {
  const buyer = peers.givenBuyer()
  const item = peers.givenItem()
  const cart = [{ itemId: item.itemId, priceCents: item.priceCents }]
  const first = await db.startTransaction().execute()
  const orderId = await placeOrder(first, { buyer: { userId: buyer.userId, wallet }, cart }, config)
  const second = start(payments, buyer, cartOf(item))
  await untilSomeoneWaits(payments)
  await first.commit().execute()
  expect((await second).json()).toMatchObject({ success: true, orderId })
})

test('whoever cancels waits for the look that is under way, and finds what it found', async () => {
  const order = await givenOpenOrder(payments)
  const looking = await db.startTransaction().execute()
  await lockOrder(looking, order.orderId)
  await looking.updateTable('line').set({ state: 'authorised' }).where('orderId', '=', order.orderId).execute()
  await looking.updateTable('line').set({ state: 'delivering' }).where('orderId', '=', order.orderId).execute()
  const cancelling = cancel(payments, order)
  await untilSomeoneWaits(payments)
  await looking.commit().execute()
  expect((await cancelling).json()).toMatchObject({ code: 'delivery_started' })
})

test('an order that is held for long is a 503 to its buyer, and not a mistake of ours', async () => {
  const order = await givenOpenOrder(payments)
  const looking = await db.startTransaction().execute()
  await lockOrder(looking, order.orderId)
  const answer = await cancel(payments, order)
  await looking.rollback().execute()
  expect([answer.statusCode, answer.json().code]).toEqual([503, 'busy'])
  expect((await lines(payments, order.orderId))[0]!.state).toBe('awaiting_payment')
})
