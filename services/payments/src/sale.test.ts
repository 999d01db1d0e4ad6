import { expect, test } from 'vitest'
import { startTestPayments } from './testing/payments.ts'
import { alarms, deliver, givenPaidOrder, publishedEvents, view, waitForLines } from './testing/sale.ts'

test('a sale holds the card, delivers the token, and captures only then', async () => {
  const payments = await startTestPayments()
  const order = await givenPaidOrder(payments)
  expect(await payments.sandbox.totals()).toMatchObject({ held: 12_000, captured: 0, inFlight: 12_000 })

  await deliver(payments, order.lines[0]!)
  await waitForLines(payments, order.orderId, 'completed')

  expect(await payments.sandbox.totals()).toMatchObject({ held: 12_000, captured: 12_000, inFlight: 0 })
  expect(await view(payments, order)).toMatchObject({
    state: 'completed',
    captured: 120,
    cancellable: false,
    url: null,
  })
  expect((await publishedEvents(payments)).map(({ name }) => name)).toEqual([
    'payments.order-line-authorised.v1',
    'payments.order-line-completed.v1',
  ])
  expect(await alarms(payments)).toEqual([])
})
