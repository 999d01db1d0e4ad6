import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { cartOf, deliver, givenOpenOrder, lines, start } from '../testing/sale.ts'
import { findOrder, wakeOrder } from './order.store.ts'
import { runDueStep, runStep } from './run-step.ts'

const payments = await startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })
const { peers, sandbox, db, deps } = payments

const dueSince = (interval: string, orderIds: string[]) =>
  db
    .updateTable('orders')
    .set({ nextRunAt: sql<Date>`now() - ${interval}::interval` })
    .where('id', 'in', orderIds)
    .execute()

test('a due capture goes before polls of open pages that have been due for longer', async () => {
  const sold = await givenOpenOrder(payments)
  await sandbox.pay(sold.url)
  await runStep(deps, sold.orderId)
  await deliver(payments, (await lines(payments, sold.orderId))[0]!)
  const pages: string[] = []
  for (let count = 0; count < 12; count++) pages.push((await givenOpenOrder(payments)).orderId)
  await dueSince('1 hour', pages)
  await dueSince('1 second', [sold.orderId])

  await runDueStep(deps)

  expect(await findOrder(db, sold.orderId)).toMatchObject({ money: 'captured' })
  expect(await db.selectFrom('orders').select('id').where('nextRunAt', '<', sql<Date>`now()`).execute()).toHaveLength(
    12,
  )
})

test('an order that an event woke goes before polls of open pages', async () => {
  const page = await givenOpenOrder(payments)
  const paid = await givenOpenOrder(payments)
  await sandbox.pay(paid.url)
  await sql`update orders set next_run_at = null`.execute(db)
  await dueSince('1 hour', [page.orderId])

  await wakeOrder(db, paid.orderId)
  await runDueStep(deps)

  expect(await lines(payments, paid.orderId)).toMatchObject([{ state: 'authorised' }])
})

test('the step that a request runs next is not due for a worker at once, and is when the request has ended without it', async () => {
  await sql`update orders set next_run_at = null`.execute(db)
  const buyer = peers.givenBuyer()
  await sandbox.fault({ request: 'POST /v1/checkout/sessions', mode: 'timeout_before', delayMs: 10, times: 2 })
  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(503)
  const { id } = await db
    .selectFrom('orders')
    .select('id')
    .where('buyerId', '=', buyer.userId)
    .executeTakeFirstOrThrow()
  expect(await runDueStep(deps)).toBeNull()

  await db
    .updateTable('orders')
    .set({ nextRunAt: sql<Date>`next_run_at - interval '10 seconds'` })
    .where('id', '=', id)
    .execute()
  await runDueStep(deps)
  expect(await lines(payments, id)).toMatchObject([{ state: 'awaiting_payment' }])
})
