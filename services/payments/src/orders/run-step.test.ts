import { waitForBlockedQuery } from '@nifty/service-kit/testing/blocked-query'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { runDueSteps } from '../testing/due-steps.ts'
import { type Payments, startTestPayments } from '../testing/payments.ts'
import { cartOf, deliver, failedFor, lines, start } from '../testing/sale.ts'
import { runStep, type StepDeps } from './run-step.ts'

/** Every call to another system takes effect and then throws, so that nothing is committed: a killed process. */
function killedAfterCall({ processor, catalog, minting, ...deps }: StepDeps): StepDeps {
  const killAfter = async (work: Promise<unknown>): Promise<never> => {
    await work
    throw new Error('killed')
  }
  const calls = Object.entries(processor).map(([name, call]) => [
    name,
    typeof call === 'function'
      ? (...args: never[]) => killAfter((call as (...args: never[]) => Promise<unknown>)(...args))
      : call,
  ])
  return {
    ...deps,
    processor: Object.fromEntries(calls),
    catalog: ((...args: Parameters<typeof catalog>) => killAfter(catalog(...args))) as typeof catalog,
    minting: ((...args: Parameters<typeof minting>) => killAfter(minting(...args))) as typeof minting,
  }
}

/** Runs each step twice: killed after its call, then completely. */
async function stepTwice({ deps }: Payments, orderId: string, limit = 6) {
  const taken: string[] = []
  for (let count = 0; count < limit; count++) {
    await runStep(killedAfterCall(deps), orderId).catch(() => {})
    const { step, nextRunInMs } = await runStep(deps, orderId)
    taken.push(step)
    if (nextRunInMs !== 0) break
  }
  return taken
}

/** An order whose process was killed before its first call. */
async function givenStoredOrder(payments: Payments) {
  const { peers, db } = payments
  const buyer = peers.givenBuyer()
  const item = peers.givenItem()
  peers.failing.add('catalog')
  await start(payments, buyer, cartOf(item))
  peers.failing.delete('catalog')
  const { id } = await db
    .selectFrom('orders')
    .select('id')
    .where('buyerId', '=', buyer.userId)
    .executeTakeFirstOrThrow()
  return { orderId: id, buyer, item }
}

test('a process killed at each step of a sale sells once and captures once', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, buyer, item } = await givenStoredOrder(payments)
  expect(await stepTwice(payments, orderId)).toEqual(['reserve', 'open_session'])
  const { url } = (await start(payments, buyer, cartOf(item))).json()

  await payments.sandbox.pay(url)
  expect(await stepTwice(payments, orderId)).toEqual(['poll_session'])
  expect(await stepTwice(payments, orderId)).toEqual(['watch_delivery'])
  await deliver(payments, (await lines(payments, orderId))[0]!)
  expect(await stepTwice(payments, orderId)).toEqual(['capture'])

  const { entries } = await payments.sandbox.ledger()
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(['session_created', 'held', 'captured'])
  expect(await payments.db.selectFrom('bookEntry').select('kind').execute()).toHaveLength(2)
})

test('a process killed at each step of a release cancels the hold once', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, buyer, item } = await givenStoredOrder(payments)
  await stepTwice(payments, orderId)
  await payments.sandbox.pay((await start(payments, buyer, cartOf(item))).json().url)
  await runStep(payments.deps, orderId)
  await payments.consume(failedFor((await lines(payments, orderId))[0]!))
  expect(await stepTwice(payments, orderId)).toEqual(['cancel_hold'])
  expect(await payments.sandbox.totals()).toMatchObject({ held: 12_000, released: 12_000, captured: 0 })
})

test('a process killed after minting stopped a delivery releases the line after the restart', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, buyer, item } = await givenStoredOrder(payments)
  await stepTwice(payments, orderId)
  await payments.sandbox.pay((await start(payments, buyer, cartOf(item))).json().url)
  await runStep(payments.deps, orderId)
  await payments.db.updateTable('orders').set({ cancelRequestedBy: 'buyer' }).where('id', '=', orderId).execute()
  expect(await stepTwice(payments, orderId)).toEqual(['stop_delivery', 'cancel_hold'])
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'released', reason: 'cancelled' }])
})

test('a purchase whose order is cancelled before it has a page is a 409: nothing is unavailable', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, buyer, item } = await givenStoredOrder(payments)
  const cancelling = await payments.db.startTransaction().execute()
  await cancelling.updateTable('orders').set({ cancelRequestedBy: 'seller' }).where('id', '=', orderId).execute()

  const response = start(payments, buyer, cartOf(item))
  await waitForBlockedQuery(payments.db)
  await cancelling.commit().execute()

  const { statusCode, body } = await response
  expect([statusCode, JSON.parse(body).code]).toEqual([409, 'page_closed'])
})

test('the worker cancels an order whose start timed out, and publishes order-line-abandoned', async () => {
  const payments = await startTestPayments({ env: { PAYMENTS_START_MS: '100' } })
  payments.peers.failing.add('catalog after')
  const item = payments.peers.givenItem()
  await start(payments, payments.peers.givenBuyer(), cartOf(item))
  const states = async () => (await payments.db.selectFrom('line').select('state').execute()).map(({ state }) => state)
  await expect.poll(states, { timeout: 30_000 }).toEqual(['released'])
  const events = await payments.db.selectFrom('outbox').select(['name', 'data']).execute()
  expect(events).toMatchObject([{ name: 'payments.order-line-abandoned.v1', data: { itemId: item.itemId } }])
})

test('the worker expires the session of an order whose start timed out', async () => {
  const payments = await startTestPayments({ manual: true })
  await payments.sandbox.fault({ request: 'POST /v1/checkout/sessions', mode: 'timeout_after', delayMs: 10, times: 2 })
  const response = await start(payments, payments.peers.givenBuyer(), cartOf(payments.peers.givenItem()))
  expect(response.statusCode).toBe(503)

  // Past `startMs` the worker cancels the order.
  await sql`update orders set created_at = now() - interval '1 hour', next_run_at = now()`.execute(payments.db)
  await runDueSteps(payments.deps)
  const { entries } = await payments.sandbox.ledger()
  expect(entries.map(({ kind }: { kind: string }) => kind)).toEqual(['session_created', 'session_expired'])
})

test('open orders continue after a restart of the service', async () => {
  const payments = await startTestPayments({ webhooks: false })
  const buyer = payments.peers.givenBuyer()
  const { orderId, url } = (await start(payments, buyer, cartOf(payments.peers.givenItem()))).json()
  await payments.restart()
  await payments.sandbox.pay(url)
  await expect.poll(async () => (await lines(payments, orderId))[0]!.state, { timeout: 30_000 }).toBe('authorised')
  await deliver(payments, (await lines(payments, orderId))[0]!)
  await payments.restart()
  await expect.poll(async () => (await lines(payments, orderId))[0]!.state, { timeout: 30_000 }).toBe('completed')
})
