import { getOrderHistory, refundLine } from '@nifty/api/payments/ops'
import { acceptOrder, compareOrder } from '@nifty/api/payments/ops-money'
import { expect, test } from 'vitest'
import { runStep } from '../orders/run-step.ts'
import { submitDueRefund } from '../refunds/refund.actions.ts'
import { type Payments, startTestPayments } from '../testing/payments.ts'
import { callProcessor, reconcile } from '../testing/reconciliation.ts'
import {
  alarms,
  booksOf,
  deliver,
  failedFor,
  givenOpenOrder,
  intentOf,
  lines,
  publishedEvents,
} from '../testing/sale.ts'

const operatorAction = { reason: 'a test' }

async function givenHeld(payments: Payments) {
  const items = [payments.peers.givenItem(), payments.peers.givenItem({ priceCents: 5_000 })]
  const { orderId, url } = await givenOpenOrder(payments, { items })
  await payments.sandbox.pay(url)
  await runStep(payments.deps, orderId)
  return { orderId, intentId: await intentOf(payments, orderId), lines: await lines(payments, orderId) }
}

const captureByHand = (payments: Payments, intentId: string, cents: number) =>
  callProcessor(payments, `/v1/payment_intents/${intentId}/capture`, { amount_to_capture: String(cents) })

const sides = ({ internal }: Payments, id: string) => internal(compareOrder, { params: { id } })

async function accept(payments: Payments, orderId: string) {
  const { processor } = await sides(payments, orderId)
  return payments.internal(acceptOrder, { body: { orderId, seen: processor, ...operatorAction } })
}

test('too little captured by hand: sellers get their shares, the platform bears the rest', async () => {
  const payments = await startTestPayments({ manual: true })
  const order = await givenHeld(payments)
  for (const line of order.lines) await deliver(payments, line)
  await captureByHand(payments, order.intentId, 14_000)
  for (let step = 0; step < 3; step++) await runStep(payments.deps, order.orderId)
  expect(await alarms(payments)).toEqual(['unexpected_capture'])

  expect(await sides(payments, order.orderId)).toMatchObject({
    store: { money: 'held', capturedCents: 0 },
    processor: { status: 'succeeded', capturedCents: 14_000 },
    isDeliveryOpen: false,
    effects: [expect.stringContaining('140.00'), expect.stringContaining('30.00')],
  })
  expect((await lines(payments, order.orderId))[0]!.state).toBe('delivered')

  expect(await accept(payments, order.orderId)).toMatchObject({ effects: [] })
  const [first, second] = order.lines
  expect((await lines(payments, order.orderId)).map(({ state }) => state)).toEqual(['completed', 'completed'])
  expect(await booksOf(payments, first!.id)).toMatchObject({ sale: 10_800, platform: 0 })
  expect(await booksOf(payments, second!.id)).toMatchObject({ sale: 4_500, commission: 500, platform: -3_000 })
  expect((await reconcile(payments)).differences).toEqual([])
})

test('captured by hand for a line that was not delivered: accepting refunds it', async () => {
  const payments = await startTestPayments({ manual: true })
  const order = await givenHeld(payments)
  const [first, second] = order.lines
  await deliver(payments, first!)
  await captureByHand(payments, order.intentId, 17_000)
  expect(await sides(payments, order.orderId)).toMatchObject({ isDeliveryOpen: true, effects: [] })
  const early = accept(payments, order.orderId)
  await expect(early).rejects.toMatchObject({ statusCode: 409, code: 'delivery_open' })
  await payments.consume(failedFor(second!))
  for (let step = 0; step < 3; step++) await runStep(payments.deps, order.orderId)

  await accept(payments, order.orderId)
  await submitDueRefund(payments.deps)

  expect(await payments.sandbox.totals()).toMatchObject({ captured: 17_000, refunded: 5_000 })
  expect((await lines(payments, order.orderId)).map(({ state }) => state)).toEqual(['completed', 'released'])
  expect(await booksOf(payments, second!.id)).toEqual({ sale: 0, royalty: 0, commission: 0, platform: 0 })
  expect((await payments.internal(getOrderHistory, { params: { id: order.orderId } })).reversals).toMatchObject([
    { borneBy: 'platform', withdrawn: 50 },
  ])
  const [refunded] = await publishedEvents(payments, 'order-line-refunded')
  expect(refunded!.data).toMatchObject({ lineId: second!.id, delivered: false })
  expect((await reconcile(payments)).differences).toEqual([])
})

test('an amount captured by hand fills the delivered lines first', async () => {
  const payments = await startTestPayments({ manual: true })
  const order = await givenHeld(payments)
  const [first, second] = order.lines
  await deliver(payments, second!)
  await payments.consume(failedFor(first!))
  await captureByHand(payments, order.intentId, 6_000)
  for (let step = 0; step < 3; step++) await runStep(payments.deps, order.orderId)

  await accept(payments, order.orderId)

  expect((await lines(payments, order.orderId)).map(({ capturedCents }) => capturedCents)).toEqual([1_000, 5_000])
  expect(await booksOf(payments, second!.id)).toEqual({ sale: 4_500, royalty: 0, commission: 500, platform: 0 })
})

test('a refund whose events were lost is booked by accepting it', async () => {
  const payments = await startTestPayments({ manual: true })
  const order = await givenHeld(payments)
  for (const line of order.lines) await deliver(payments, line)
  for (let step = 0; step < 3; step++) await runStep(payments.deps, order.orderId)
  await callProcessor(payments, '/v1/refunds', { payment_intent: order.intentId })

  expect(await accept(payments, order.orderId)).toMatchObject({ effects: [], store: { refundedCents: 17_000 } })
  expect((await lines(payments, order.orderId)).map(({ state }) => state)).toEqual(['refunded', 'refunded'])
  expect((await reconcile(payments)).differences).toEqual([])
})

test('a hold that was cancelled by hand after the delivery is written off', async () => {
  const payments = await startTestPayments({ manual: true })
  const order = await givenHeld(payments)
  for (const line of order.lines) await deliver(payments, line)
  await callProcessor(payments, `/v1/payment_intents/${order.intentId}/cancel`)
  await accept(payments, order.orderId)
  expect((await lines(payments, order.orderId)).map(({ state }) => state)).toEqual(['written_off', 'written_off'])
  expect(await booksOf(payments, order.lines[1]!.id)).toMatchObject({ sale: 4_500, platform: -5_000 })
  expect((await reconcile(payments)).differences).toEqual([])
})

test('a payment that was captured by hand before it was seen here is delivered', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, url } = await givenOpenOrder(payments)
  await expect(sides(payments, orderId)).rejects.toMatchObject({ statusCode: 409, code: 'no_payment' })
  await payments.sandbox.pay(url)
  const { hold } = await payments.deps.processor.session(
    (await payments.db.selectFrom('orders').select('sessionId').executeTakeFirstOrThrow()).sessionId!,
  )
  await captureByHand(payments, hold!.id, 12_000)
  await runStep(payments.deps, orderId)
  expect(await alarms(payments)).toEqual(['unexpected_capture'])
  expect(payments.peers.stopRequests).toEqual([])
  expect((await lines(payments, orderId))[0]!.state).toBe('awaiting_payment')

  await accept(payments, orderId)
  const [line] = await lines(payments, orderId)
  expect(line!.state).toBe('authorised')
  await deliver(payments, line!)
  for (let step = 0; step < 3; step++) await runStep(payments.deps, orderId)
  expect((await lines(payments, orderId))[0]!.state).toBe('completed')
})

test.each(['its session', 'only its intent'] as const)(
  'what was captured by hand for a released order of which %s is known is refunded',
  async (known) => {
    const payments = await startTestPayments({ manual: true })
    const { db } = payments
    const { orderId, url } = await givenOpenOrder(payments)
    const { sessionId } = await db.selectFrom('orders').select('sessionId').executeTakeFirstOrThrow()
    await payments.sandbox.pay(url)
    const { hold } = await payments.deps.processor.session(sessionId!)
    await captureByHand(payments, hold!.id, 12_000)
    await db.updateTable('line').set({ state: 'released', reason: 'expired' }).execute()
    if (known === 'only its intent')
      await db.updateTable('orders').set({ sessionId: null, intentId: hold!.id }).execute()

    await runStep(payments.deps, orderId)
    expect(await alarms(payments)).toEqual(['unexpected_capture'])
    await accept(payments, orderId)
    await submitDueRefund(payments.deps)

    expect(await payments.sandbox.totals()).toMatchObject({ captured: 12_000, refunded: 12_000 })
    expect((await lines(payments, orderId))[0]!.state).toBe('released')
    expect((await reconcile(payments)).differences).toEqual([])
    expect(await runStep(payments.deps, orderId)).toMatchObject({ nextRunInMs: null })
  },
)

test('what has changed since it was shown is not accepted', async () => {
  const payments = await startTestPayments({ manual: true })
  const order = await givenHeld(payments)
  for (const line of order.lines) await deliver(payments, line)
  const { processor } = await sides(payments, order.orderId)
  await captureByHand(payments, order.intentId, 14_000)
  const body = { orderId: order.orderId, seen: processor, ...operatorAction }
  const stale = payments.internal(acceptOrder, { body })
  await expect(stale).rejects.toMatchObject({ statusCode: 409, code: 'processor_changed' })
  const refund = payments.internal(refundLine, { body: { lineId: order.lines[0]!.id, ...operatorAction } })
  await expect(refund).rejects.toMatchObject({ code: 'not_refundable' })
})
