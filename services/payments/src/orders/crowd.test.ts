import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { cartOf, deliver, givenPaidOrder, start, waitForLines } from '../testing/sale.ts'

test('a crowd of starting purchases does not delay an order that is paid', async () => {
  const payments = await startTestPayments()
  const { peers } = payments
  const paid = await givenPaidOrder(payments)

  const unblock = Promise.withResolvers<void>()
  peers.reserving.blocked = unblock.promise
  const before = peers.reservationRequests.length
  let responses = 0
  const crowd = Array.from({ length: 30 }, async () => {
    await start(payments, peers.givenBuyer(), cartOf(peers.givenItem()))
    responses++
  })
  await expect.poll(() => peers.reservationRequests.length - before).toBeGreaterThan(5)

  await deliver(payments, paid.lines[0]!)
  await waitForLines(payments, paid.orderId, 'completed')
  expect(responses).toBe(0)

  unblock.resolve()
  await Promise.all(crowd)
})
