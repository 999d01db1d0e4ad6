import { deliveryFinal, deliveryStarted } from '@nifty/events/minting'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { wallet } from '../testing/peers.ts'
import {
  alarms,
  failedFor,
  finalFor,
  givenOpenOrder,
  givenPaidOrder,
  lines,
  publishedEvents,
  startedFor,
  txHash,
  waitForLines,
} from '../testing/sale.ts'

const payments = await startTestPayments()
const { consume, db } = payments

test('delivery events that arrive twice take effect once', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  const [started, final] = [startedFor(sold[0]!), finalFor(sold[0]!)]
  for (const message of [started, started, final, final, startedFor(sold[0]!), finalFor(sold[0]!)])
    await consume(message)
  await waitForLines(payments, orderId, 'completed')
  await consume(finalFor(sold[0]!))
  const completed = (await publishedEvents(payments, 'order-line-completed')).filter(
    ({ data }) => data.orderId === orderId,
  )
  expect(completed.map(({ data }) => data)).toMatchObject([{ txHash, priceCents: 12_000 }])
})

test('delivery-final before delivery-started delivers the line', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  await consume(finalFor(sold[0]!))
  await waitForLines(payments, orderId, 'completed')
  await consume(startedFor(sold[0]!))
  expect((await lines(payments, orderId))[0]!.state).toBe('completed')
})

test('delivery-failed that arrives twice releases the line once', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  await consume(startedFor(sold[0]!))
  for (const message of [failedFor(sold[0]!), failedFor(sold[0]!)]) await consume(message)
  await waitForLines(payments, orderId, 'released')
  const released = (await publishedEvents(payments, 'order-line-released')).filter(
    ({ data }) => data.orderId === orderId,
  )
  expect(released).toHaveLength(1)
})

test('delivery events without an order, as of a withdrawal, are ignored', async () => {
  const { items } = await givenPaidOrder(payments)
  const { contract, identifier, itemId } = items[0]!
  const token = `${contract.toLowerCase()}/${identifier}`
  const delivery = {
    lineId: crypto.randomUUID(),
    orderId: crypto.randomUUID(),
    itemId,
    token,
    txHash,
    at: new Date().toISOString(),
  }
  await consume(messageOf(deliveryStarted, delivery))
  await consume(messageOf(deliveryFinal, { ...delivery, buyerId: crypto.randomUUID(), wallet, block: 1 }))
  const retries = await db.selectFrom('retryMessage').selectAll().where('key', '=', token).execute()
  expect(retries).toEqual([])
})

test('a delivery event of an unpaid order is retried and does not change the order', async () => {
  const { orderId } = await givenOpenOrder(payments)
  const [line] = await lines(payments, orderId)
  await consume(startedFor(line!))
  expect((await lines(payments, orderId))[0]!.state).toBe('awaiting_payment')
  expect(await db.selectFrom('retryMessage').select('error').execute()).toMatchObject([
    { error: expect.stringContaining('is not authorised yet') },
  ])
})

test('delivery-final of a released line raises an alarm and leaves it released', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  await consume(failedFor(sold[0]!))
  await waitForLines(payments, orderId, 'released')
  await consume(finalFor(sold[0]!))
  expect((await lines(payments, orderId))[0]!.state).toBe('released')
  expect(await alarms(payments)).toContain('delivery_contradiction')
})
