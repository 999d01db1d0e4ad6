import { deliveryFinal, deliveryStarted } from '@nifty/events/minting'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import { givenPayments } from '../testing/payments.ts'
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

const payments = await givenPayments()
const { hear, db } = payments

test('what minting says twice happens once', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  const [started, final] = [startedFor(sold[0]!), finalFor(sold[0]!)]
  for (const message of [started, started, final, final, startedFor(sold[0]!), finalFor(sold[0]!)]) await hear(message)
  await waitForLines(payments, orderId, 'completed')
  await hear(finalFor(sold[0]!))
  const completed = (await publishedEvents(payments, 'order-line-completed')).filter(
    ({ data }) => data.orderId === orderId,
  )
  expect(completed.map(({ data }) => data)).toMatchObject([{ txHash, priceCents: 12_000 }])
})

test('a delivery that is final before its start was heard of is a delivery', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  await hear(finalFor(sold[0]!))
  await waitForLines(payments, orderId, 'completed')
  await hear(startedFor(sold[0]!))
  expect((await lines(payments, orderId))[0]!.state).toBe('completed')
})

test('a failure said twice releases once', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  await hear(startedFor(sold[0]!))
  for (const message of [failedFor(sold[0]!), failedFor(sold[0]!)]) await hear(message)
  await waitForLines(payments, orderId, 'released')
  const released = (await publishedEvents(payments, 'order-line-released')).filter(
    ({ data }) => data.orderId === orderId,
  )
  expect(released).toHaveLength(1)
})

test('a delivery without an order here, such as a withdrawal, is none of our business', async () => {
  const { items } = await givenPaidOrder(payments)
  const { contract, identifier, itemId } = items[0]!
  const token = `${contract.toLowerCase()}/${identifier}`
  const told = {
    lineId: crypto.randomUUID(),
    orderId: crypto.randomUUID(),
    itemId,
    token,
    txHash,
    at: new Date().toISOString(),
  }
  await hear(messageOf(deliveryStarted, told))
  await hear(messageOf(deliveryFinal, { ...told, buyerId: crypto.randomUUID(), wallet, block: 1 }))
  const parked = await db.selectFrom('parkedEvent').selectAll().where('key', '=', token).execute()
  expect(parked).toEqual([])
})

test('a delivery of an unpaid order waits, and does not make it paid', async () => {
  const { orderId } = await givenOpenOrder(payments)
  const [line] = await lines(payments, orderId)
  await hear(startedFor(line!))
  expect((await lines(payments, orderId))[0]!.state).toBe('awaiting_payment')
  expect(await db.selectFrom('parkedEvent').select('error').execute()).toMatchObject([
    { error: expect.stringContaining('is not authorised yet') },
  ])
})

test('a delivery of what was released is told to a person, and releases stay releases', async () => {
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  await hear(failedFor(sold[0]!))
  await waitForLines(payments, orderId, 'released')
  await hear(finalFor(sold[0]!))
  expect((await lines(payments, orderId))[0]!.state).toBe('released')
  expect(await alarms(payments)).toContain('delivery_contradiction')
})
