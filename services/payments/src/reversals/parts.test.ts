import { refundLine } from '@nifty/api/payments/ops'
import { assignReversal } from '@nifty/api/payments/ops-money'
import { expect, test } from 'vitest'
import { runStep } from '../orders/run-step.ts'
import { startTestPayments } from '../testing/payments.ts'
import { callProcessor } from '../testing/reconciliation.ts'
import { booksOf, deliver, givenOpenOrder, intentOf, lines } from '../testing/sale.ts'
import { syncReversals } from './reversal.actions.ts'
import { reversalsOf } from './reversal.store.ts'

const payments = await startTestPayments({ manual: true })
const { db, deps, internal, peers, sandbox } = payments
const operatorAction = { reason: 'a test' }

/** An order of two captured lines. */
async function givenCaptured(prices: [number, number]) {
  const items = prices.map((priceCents) => peers.givenItem({ priceCents }))
  const { orderId, url } = await givenOpenOrder(payments, { items })
  await sandbox.pay(url)
  await runStep(deps, orderId)
  for (const line of await lines(payments, orderId)) await deliver(payments, line)
  for (let step = 0; step < 3; step++) await runStep(deps, orderId)
  const [first, second] = (await lines(payments, orderId)).map(({ id }) => id) as [string, string]
  return { orderId, intentId: await intentOf(payments, orderId), first, second }
}

type Captured = Awaited<ReturnType<typeof givenCaptured>>

/** Refunds parts of the payment at the processor; returns their ids, in the same sequence. */
async function refundByHand({ orderId, intentId }: Captured, ...cents: number[]) {
  for (const amount of cents)
    await callProcessor(payments, '/v1/refunds', { payment_intent: intentId, amount: String(amount) })
  await db.transaction().execute((trx) => syncReversals(trx, deps, orderId))
  const found = await reversalsOf(db, orderId)
  return cents.map((amount) => found.find(({ amountCents }) => amountCents === amount)!.id)
}

const assign = (reversalId: string, borneBy: 'platform' | 'seller', lineId: string) =>
  internal(assignReversal, { body: { reversalId, borneBy, lineIds: [lineId], ...operatorAction } })

const sumOf = async (lineId: string) =>
  Object.values(await booksOf(payments, lineId)).reduce((sum, cents) => sum + cents, 0)

test('no line of an order is refunded while a part of it was refunded for lines that are not named', async () => {
  const order = await givenCaptured([12_000, 5_000])
  const refund = () => internal(refundLine, { body: { lineId: order.first, ...operatorAction } })
  const [part] = await refundByHand(order, 4_000)
  await expect(refund()).rejects.toMatchObject({
    statusCode: 409,
    code: 'lines_not_named',
    message: expect.stringContaining(part!),
  })

  await assign(part!, 'platform', order.second)
  expect(await refund()).toMatchObject({ state: 'succeeded', amount: 120 })
  expect((await sandbox.totals()).refunded).toBe(16_000)
})

test('a refund is not assigned to a line of which other refunds have left less', async () => {
  const order = await givenCaptured([12_000, 12_000])
  const [one, other] = await refundByHand(order, 7_000, 6_000)
  await assign(one!, 'platform', order.first)
  await expect(assign(other!, 'platform', order.first)).rejects.toMatchObject({
    statusCode: 409,
    code: 'amount_exceeds_lines',
  })
  await assign(other!, 'platform', order.second)
  await assign(one!, 'seller', order.first)
  expect(await sumOf(order.first)).toBe(5_000)
  expect(await sumOf(order.second)).toBe(6_000)
})
