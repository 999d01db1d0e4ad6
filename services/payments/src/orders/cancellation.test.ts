import { cancelOrder } from '@nifty/api/payments/ops'
import { delistRequested } from '@nifty/events/catalog'
import { messageOf } from '@nifty/service-kit/testing/events'
import { expect, test } from 'vitest'
import type { Line } from '../db.ts'
import { deliverOnChain } from '../testing/lost-order.ts'
import { startTestPayments } from '../testing/payments.ts'
import {
  alarms,
  cancel,
  deliver,
  failedFor,
  givenOpenOrder,
  givenPaidOrder,
  lines,
  publishedEvents,
  startedFor,
  view,
  waitForLines,
} from '../testing/sale.ts'
import { requestCancellationIfUnpaid } from './cancellation.actions.ts'
import { runStep } from './run-step.ts'

const payments = await startTestPayments()
const { peers, sandbox, app, consume } = payments

const endDeadline = (orderId: string) =>
  payments.db
    .updateTable('orders')
    .set({ deliverBy: new Date(Date.now() - 1_000) })
    .where('id', '=', orderId)
    .execute()

const sold = ({ id, contract, identifier }: Line) => ({ lineId: id, contract: contract!, identifier: identifier! })

const cancelRequestOf = async ({ orderId }: { orderId: string }) => {
  const orders = payments.db.selectFrom('orders').select('cancelRequestedBy').where('id', '=', orderId)
  return (await orders.executeTakeFirstOrThrow()).cancelRequestedBy
}

test('a paid order without a signed delivery is cancelled and its hold released', async () => {
  const order = await givenPaidOrder(payments)
  const response = await cancel(payments, order)
  expect([response.statusCode, response.json().state]).toEqual([200, 'released'])
  const events = (await publishedEvents(payments, 'order-line-released')).filter(
    ({ data }) => data.orderId === order.orderId,
  )
  expect(events.map(({ data }) => data)).toMatchObject([{ reason: 'cancelled', moneyWasHeld: true }])
  const row = await payments.db.selectFrom('orders').select('money').where('id', '=', order.orderId).executeTakeFirst()
  expect(row).toEqual({ money: 'released' })
})

test('an order whose delivery is signed cannot be cancelled, and the sale continues', async () => {
  const order = await givenPaidOrder(payments)
  const [line] = order.lines
  peers.signedLines.add(line!.id)
  const response = await cancel(payments, order)
  expect([response.statusCode, response.json().code]).toEqual([409, 'delivery_started'])

  await consume(startedFor(line!))
  expect((await cancel(payments, order)).statusCode).toBe(409)
  await deliver(payments, line!)
  await waitForLines(payments, order.orderId, 'completed')
  expect((await cancel(payments, order)).statusCode).toBe(409)
  expect(await cancelRequestOf(order)).toBeNull()
})

test('while the chain is late a buyer cancels a signed delivery, and nothing is charged', async () => {
  const order = await givenPaidOrder(payments)
  const [line] = order.lines
  peers.signedLines.add(line!.id)
  await consume(startedFor(line!))
  peers.chain.isLate = true
  const response = await cancel(payments, order)
  peers.chain.isLate = false
  expect([response.statusCode, response.json().state, response.json().cancellable]).toEqual([200, 'delivering', false])

  await consume(failedFor(line!, 'deadline'))
  await waitForLines(payments, order.orderId, 'released')
  expect((await lines(payments, order.orderId))[0]).toMatchObject({ reason: 'cancelled', note: 'buyer' })
  const money = () =>
    payments.db.selectFrom('orders').select('money').where('id', '=', order.orderId).executeTakeFirst()
  await expect.poll(money, { timeout: 30_000 }).toEqual({ money: 'released' })
})

test('what cancels unpaid orders only, such as a decline that is reported late, leaves a paid one alone', async () => {
  const order = await givenPaidOrder(payments)
  const { db } = payments
  await db.transaction().execute((trx) => requestCancellationIfUnpaid(trx, order.orderId, 'declines'))
  expect(await cancelRequestOf(order)).toBeNull()
  expect((await lines(payments, order.orderId))[0]!.state).toBe('authorised')
})

test('a delivery that was faster than its cancellation is captured', async () => {
  const order = await givenPaidOrder(payments)
  const [line] = order.lines
  peers.signedLines.add(line!.id)
  await consume(startedFor(line!))
  await payments.internal(cancelOrder, { body: { orderId: order.orderId, reason: 'a test' } })
  await deliver(payments, line!)
  await waitForLines(payments, order.orderId, 'completed')
  expect(await cancelRequestOf(order)).toBeNull()
})

test('of two lines the one without a signed delivery is cancelled and the other captured', async () => {
  const items = [peers.givenItem(), peers.givenItem()]
  const order = await givenPaidOrder(payments, { items })
  peers.signedLines.add(order.lines[0]!.id)
  expect((await cancel(payments, order)).statusCode).toBe(200)
  await waitForLines(payments, order.orderId, 'authorised', 'released')
  await deliver(payments, order.lines[0]!)
  await waitForLines(payments, order.orderId, 'completed', 'released')
  expect(await view(payments, order)).toMatchObject({ state: 'completed', total: 240, captured: 120 })
})

test('when the seller is frozen, what is paid and not delivered is stopped, and what the chain has is captured', async () => {
  const [unsigned, signed] = [await givenPaidOrder(payments), await givenPaidOrder(payments)]
  peers.signedLines.add(signed.lines[0]!.id)
  const at = new Date().toISOString()
  for (const { orderId, items } of [unsigned, signed])
    await consume(messageOf(delistRequested, { itemId: items[0]!.itemId, orderId, suspended: true, at }))

  await waitForLines(payments, unsigned.orderId, 'released')
  await deliver(payments, signed.lines[0]!)
  await waitForLines(payments, signed.orderId, 'completed')
  expect((await lines(payments, unsigned.orderId))[0]).toMatchObject({ reason: 'cancelled', note: 'suspension' })
})

test('while minting is unavailable the cancellation request stays pending, and is executed afterwards', async () => {
  const order = await givenPaidOrder(payments)
  peers.failing.add('minting')
  const response = await cancel(payments, order)
  expect([response.statusCode, response.json().state, response.json().cancellable]).toEqual([200, 'authorised', false])
  peers.failing.delete('minting')
  await waitForLines(payments, order.orderId, 'released')
})

test('an order of another buyer is a 404, the same as a missing one', async () => {
  const { orderId } = await givenOpenOrder(payments)
  const { headers } = peers.givenBuyer()
  const ask = (method: 'GET' | 'POST', path: string) => app.inject({ method, url: `/api/orders/${path}`, headers })
  const responses = await Promise.all([
    ask('GET', orderId),
    ask('GET', crypto.randomUUID()),
    ask('POST', `${orderId}/cancel`),
    ask('POST', `${crypto.randomUUID()}/cancel`),
  ])
  const bodies = responses.map(({ statusCode, json }) => [statusCode, json().code, json().message])
  expect(new Set(bodies.map(String)).size).toBe(1)
  expect(bodies[0]).toEqual([404, 'order_not_found', 'Order not found'])
  expect((await lines(payments, orderId))[0]!.state).toBe('awaiting_payment')
  expect((await ask('GET', 'nope')).statusCode).toBe(400)
})

test.each([
  ['GET', '/api/orders'],
  ['GET', '/api/orders/statement'],
  ['GET', `/api/orders/${crypto.randomUUID()}`],
  ['POST', `/api/orders/${crypto.randomUUID()}/cancel`],
] as const)('%s %s without a token is a 401', async (method, url) => {
  expect((await app.inject({ method, url })).statusCode).toBe(401)
})

test('the timeline has every state, oldest first', async () => {
  const order = await givenPaidOrder(payments)
  await deliver(payments, order.lines[0]!)
  await waitForLines(payments, order.orderId, 'completed')
  const { timeline } = await view(payments, order)
  expect(timeline.map(({ state }) => state)).toEqual([
    'placed',
    'awaiting_payment',
    'authorised',
    'delivering',
    'delivered',
    'completed',
  ])
  const { orders } = (await app.inject({ method: 'GET', url: '/api/orders', headers: order.buyer.headers })).json()
  expect(orders.map(({ _id }: { _id: string }) => _id)).toEqual([order.orderId])
})

test('past the deadline unsigned lines are released, and minting is requested to cancel the signed ones on the chain', async () => {
  const items = [peers.givenItem(), peers.givenItem()]
  const order = await givenPaidOrder(payments, { items })
  const [signed, waiting] = order.lines
  peers.signedLines.add(signed!.id)
  await consume(startedFor(signed!))
  await endDeadline(order.orderId)
  await runStep(payments.deps, order.orderId)
  expect(await lines(payments, order.orderId)).toMatchObject([
    { id: signed!.id, state: 'delivering' },
    { id: waiting!.id, state: 'released', reason: 'undeliverable' },
  ])
  expect(peers.stopRequests.filter(({ lineId }) => lineId === signed!.id).at(-1)).toMatchObject({
    reason: 'deadline',
  })
  expect((await sandbox.totals()).inFlight).toBeGreaterThan(0)
})

test('past the deadline a line that the chain delivered is captured, though its event is missing', async () => {
  const order = await givenPaidOrder(payments)
  const [line] = order.lines
  await consume(startedFor(line!))
  deliverOnChain(payments, sold(line!))
  await endDeadline(order.orderId)
  await runStep(payments.deps, order.orderId)
  await waitForLines(payments, order.orderId, 'completed')
  expect(await view(payments, order)).toMatchObject({ state: 'completed', captured: 120 })
})

test('a cancelled line that the chain delivered meanwhile is captured', async () => {
  const order = await givenPaidOrder(payments)
  const [line] = order.lines
  deliverOnChain(payments, sold(line!))
  expect((await cancel(payments, order)).statusCode).toBe(409)
  await waitForLines(payments, order.orderId, 'completed')
})

test('past the deadline a line that the chain delivered to another wallet is released with an alarm', async () => {
  const order = await givenPaidOrder(payments)
  const [line] = order.lines
  await consume(startedFor(line!))
  deliverOnChain(payments, sold(line!), `0x${'7'.repeat(40)}`)
  await endDeadline(order.orderId)
  await runStep(payments.deps, order.orderId)
  await waitForLines(payments, order.orderId, 'released')
  expect(await alarms(payments)).toContain('delivery_contradiction')
  expect(await view(payments, order)).toMatchObject({ state: 'released', captured: 0 })
})

test('a cancellation waits while minting does not know whether the chain has delivered the line', async () => {
  const order = await givenPaidOrder(payments)
  peers.pendingLines.add(order.lines[0]!.id)
  expect((await cancel(payments, order)).statusCode).toBe(200)
  expect((await lines(payments, order.orderId))[0]!.state).toBe('authorised')

  peers.pendingLines.clear()
  await waitForLines(payments, order.orderId, 'released')
})
