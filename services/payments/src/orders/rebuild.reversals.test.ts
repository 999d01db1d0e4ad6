import { expect, test } from 'vitest'
import { deliverOnChain, givenLostOrder, pay, rebuildAll } from '../testing/lost-order.ts'
import { startTestPayments } from '../testing/payments.ts'
import { callProcessor } from '../testing/reconciliation.ts'
import { booksOf, lines, publishedEvents } from '../testing/sale.ts'
import { backfillEvents, handleWaitingEvent } from '../webhooks/webhook.actions.ts'

const payments = await startTestPayments({ manual: true })
const { deps, sandbox } = payments

/** Delivered and captured since the backup. */
async function givenLostSale() {
  const lost = await givenLostOrder(payments)
  const intentId = await pay(payments, lost)
  await deps.processor.capture(intentId, 12_000, `capture:${lost.orderId}`)
  deliverOnChain(payments, lost.sold[0]!)
  return { ...lost, intentId }
}

/** The events of the lost time are handled before the order has its payment. */
async function handleEventsThenRebuild() {
  await backfillEvents(deps)
  while (await handleWaitingEvent(deps));
  await rebuildAll(payments)
}

test('a refund that was made since the backup is booked with the rebuilt order', async () => {
  const { orderId, intentId } = await givenLostSale()
  await callProcessor(payments, '/v1/refunds', { payment_intent: intentId })

  await handleEventsThenRebuild()

  const [line] = await lines(payments, orderId)
  expect(line).toMatchObject({ state: 'refunded' })
  expect(await booksOf(payments, line!.id)).toMatchObject({ sale: 10_800, commission: 0, platform: -10_800 })
})

test('an order that was disputed since the backup comes back disputed', async () => {
  const { orderId, intentId } = await givenLostSale()
  await sandbox.dispute(intentId)

  await handleEventsThenRebuild()

  expect(await lines(payments, orderId)).toMatchObject([{ state: 'disputed' }])
})

test.each(['inquiry', 'fraud warning'])('an %s of the lost time contests the rebuilt order', async (what) => {
  const { orderId, intentId } = await givenLostSale()
  if (what === 'inquiry') await sandbox.dispute(intentId, { inquiry: true })
  else await sandbox.warnOfFraud(intentId)

  await handleEventsThenRebuild()

  const [line] = await lines(payments, orderId)
  const contested = await publishedEvents(payments, 'order-line-contested')
  expect(contested.filter(({ data }) => data.lineId === line!.id)).toHaveLength(1)
})

test('a dispute that was won in the lost time is published as cleared: others may have stored that it began', async () => {
  const { orderId, intentId } = await givenLostSale()
  const { id } = await sandbox.dispute(intentId)
  await sandbox.closeDispute(id, 'won')

  await handleEventsThenRebuild()

  const [line] = await lines(payments, orderId)
  expect(line).toMatchObject({ state: 'completed' })
  const cleared = await publishedEvents(payments, 'order-line-cleared')
  expect(cleared.filter(({ data }) => data.lineId === line!.id)).toHaveLength(1)
})
