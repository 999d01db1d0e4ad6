import { expect, test } from 'vitest'
import { startTestPayments } from '../../testing/payments.ts'
import {
  cancel,
  givenCompletedOrder,
  givenOpenOrder,
  givenPaidOrder,
  publishedEvents,
  view,
  waitForLines,
} from '../../testing/sale.ts'

const payments = await startTestPayments()
const { db, peers, sandbox } = payments
const DECLINED = '4000000000000002'
const WITHOUT_FUNDS = '4000000000009995'
const patience = { timeout: 30_000 }

const eventsOf = async (name: string, orderId: string) =>
  (await publishedEvents(payments, name)).filter(({ data }) => data.orderId === orderId).map(({ data }) => data)

test('a held order is published once, with all of its works and what was agreed', async () => {
  const items = [peers.givenItem(), peers.givenItem()]
  const { orderId, buyer, lines } = await givenPaidOrder(payments, { items })

  const [event, ...others] = await eventsOf('order-authorised', orderId)

  expect(others).toEqual([])
  const { deliverBy, termsVersion } = await view(payments, { orderId, buyer })
  expect(event).toMatchObject({
    buyerId: buyer.userId,
    deliverBy,
    termsVersion,
    totalCents: items.reduce((sum, { priceCents }) => sum + priceCents, 0),
    works: lines.map(({ id, name, image, priceCents }) => ({ lineId: id, name, image, priceCents })),
  })
})

test('an order whose card was declined shows why, and its end publishes that once', async () => {
  const { orderId, buyer, url } = await givenOpenOrder(payments)
  await sandbox.pay(url, DECLINED)
  await sandbox.pay(url, WITHOUT_FUNDS)
  await expect
    .poll(() => view(payments, { orderId, buyer }), patience)
    .toMatchObject({
      state: 'awaiting_payment',
      declined: 'insufficient_funds',
    })
  expect(await eventsOf('order-payment-failed', orderId)).toEqual([])

  await sandbox.expire(url.split('/').at(-1)!)

  await waitForLines(payments, orderId, 'released')
  expect(await view(payments, { orderId, buyer })).toMatchObject({ state: 'released', declined: 'insufficient_funds' })
  expect(await eventsOf('order-payment-failed', orderId)).toMatchObject([{ declined: 'insufficient_funds' }])
})

test('five declined cards end an order with the reason of the last one', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  for (let count = 0; count < 5; count++) await sandbox.pay(url, count < 4 ? WITHOUT_FUNDS : DECLINED)
  await waitForLines(payments, orderId, 'released')
  expect(await eventsOf('order-payment-failed', orderId)).toMatchObject([{ declined: 'declined' }])
})

test('an order that ends without a declined card, by its buyer, or that is paid in the end, publishes no failed payment', async () => {
  const left = await givenOpenOrder(payments)
  await sandbox.expire(left.url.split('/').at(-1)!)
  const cancelled = await givenOpenOrder(payments)
  await sandbox.pay(cancelled.url, DECLINED)
  await cancel(payments, cancelled)
  const paid = await givenOpenOrder(payments)
  await sandbox.pay(paid.url, DECLINED)
  await sandbox.pay(paid.url)

  await waitForLines(payments, left.orderId, 'released')
  await waitForLines(payments, cancelled.orderId, 'released')
  await waitForLines(payments, paid.orderId, 'authorised')
  for (const { orderId } of [left, cancelled, paid]) expect(await eventsOf('order-payment-failed', orderId)).toEqual([])
  expect(await view(payments, paid)).toMatchObject({ declined: null })
})

test('a dispute and its end are published once for each line; an inquiry is not', async () => {
  const items = [peers.givenItem(), peers.givenItem()]
  const { orderId, intentId, lines } = await givenCompletedOrder(payments, { items })
  const { id } = await sandbox.dispute(intentId)
  const stages = async () =>
    (await eventsOf('order-line-disputed', orderId)).map(({ lineId, reversalId, stage }) => [lineId, reversalId, stage])
  const opened = lines.map((line) => [line.id, id, 'opened'])
  await expect.poll(stages, patience).toEqual(opened)

  await sandbox.closeDispute(id, 'won')

  await expect.poll(stages, patience).toEqual([...opened, ...lines.map((line) => [line.id, id, 'won'])])
  const inquired = await givenCompletedOrder(payments)
  const { id: inquiry } = await sandbox.dispute(inquired.intentId, { inquiry: true })
  const stored = () => db.selectFrom('reversal').select('id').where('id', '=', inquiry).execute()
  await expect.poll(stored, patience).toHaveLength(1)
  expect(await eventsOf('order-line-disputed', inquired.orderId)).toEqual([])
})
