import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { cartOf, deliver, givenOpenOrder, givenPaidOrder, start, waitForLines } from '../testing/sale.ts'

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

test('polls of open pages that the processor does not answer delay no order that is paid', async () => {
  const payments = await startTestPayments({ env: { PAYMENTS_ORDER_WORKERS: '2', PAYMENTS_POLL_MS: '3600000' } })
  const { db, sandbox } = payments
  const paid = await givenOpenOrder(payments)
  for (let count = 0; count < 6; count++) await givenOpenOrder(payments)
  const polls = db.selectFrom('orders').where('nextRunIsPoll', '=', true).where('id', '!=', paid.orderId)
  const locked = async () => 6 - (await polls.select('id').forNoKeyUpdate().skipLocked().execute()).length
  await sandbox.fault({ request: 'GET /v1/checkout/sessions/*', mode: 'slow', delayMs: 8_000, times: 4 })
  await db
    .updateTable('orders')
    .set({ nextRunAt: new Date(0) })
    .where('id', '!=', paid.orderId)
    .execute()
  await expect.poll(locked).toBe(4)

  await sandbox.pay(paid.url)
  await waitForLines(payments, paid.orderId, 'authorised')
  expect(await locked()).toBe(4)
  await sandbox.heal()
})
