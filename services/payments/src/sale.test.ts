import { expect, test } from 'vitest'
import { givenPayments } from './testing/payments.ts'
import { alarms, deliver, givenPaidOrder, publishedEvents, view, waitForLines } from './testing/sale.ts'

test('a sale: the card is held, the token delivered, and only then the money taken', async () => {
  const payments = await givenPayments()
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
