import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { getOrderHistory, listOpenOrders, refundLine } from '@nifty/api/payments/ops'
import { assignReversal, listPayouts, recordPayout } from '@nifty/api/payments/ops-money'
import { sql } from 'kysely'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'
import {
  alarms,
  booksOf,
  deliver,
  givenCompletedOrder,
  givenOpenOrder,
  lines,
  publishedEvents,
  view,
  waitForLines,
} from '../testing/sale.ts'

const operatorAction = { reason: 'a test' }
const patience = { timeout: 30_000 }

/** The processor as support staff uses it: refunds under keys that are not this store's. */
const dashboard = (url: string) =>
  new Stripe('sk_test_sandbox', { host: '127.0.0.1', port: new URL(url).port, protocol: 'http', maxNetworkRetries: 0 })

async function given() {
  const payments = await startTestPayments()
  const { refunds } = dashboard(payments.sandbox.url)
  const ops = payments.internal
  return {
    payments,
    refunds,
    ops,
    refundByHand: (intentId: string, amount?: number) =>
      refunds.create({ payment_intent: intentId, ...(amount ? { amount } : {}) }),
    dueOf: async (userId: string | null) => (await ops(listPayouts)).due.find((account) => account.userId === userId),
    assign: (reversalId: string, borneBy: 'platform' | 'seller', lineIds?: string[]) =>
      ops(assignReversal, { body: { reversalId, borneBy, ...(lineIds ? { lineIds } : {}), ...operatorAction } }),
    reversalsOf: async (orderId: string) => (await ops(getOrderHistory, { params: { id: orderId } })).reversals,
  }
}

test('a refund made at the processor refunds the line; platform bears it until the seller is named', async () => {
  const { payments, refundByHand, dueOf, assign } = await given()
  const order = await givenCompletedOrder(payments)
  const [line] = order.lines
  const { id } = await refundByHand(order.intentId)
  await waitForLines(payments, order.orderId, 'refunded')

  expect(await booksOf(payments, line!.id)).toEqual({ sale: 10_800, royalty: 0, commission: 0, platform: -10_800 })
  expect(await dueOf(line!.sellerId)).toMatchObject({ due: 0, heldBack: 108 })
  expect(await alarms(payments)).toEqual(['refund_found'])
  expect((await publishedEvents(payments, 'order-line-refunded')).map(({ data }) => data)).toMatchObject([
    { lineId: line!.id, refundId: id, refundedCents: 12_000 },
  ])
  expect((await reconcile(payments)).differences).toEqual([])

  expect(await assign(id, 'seller')).toMatchObject({ borneBy: 'seller', withdrawn: 120 })
  expect(await booksOf(payments, line!.id)).toEqual({ sale: 0, royalty: 0, commission: 0, platform: 0 })
  expect(await dueOf(line!.sellerId)).toBeUndefined()
})

test('shares of a refund of our own are held back until it is decided: platform makes them due, seller reverses them', async () => {
  const { payments, ops, dueOf, assign, reversalsOf } = await given()
  const order = await givenCompletedOrder(payments)
  const { id: lineId, sellerId } = order.lines[0]!
  const entry = async () => {
    const { headers } = payments.peers.bearerOf(sellerId!)
    const statement = await payments.app.inject({ method: 'GET', url: '/api/orders/statement', headers })
    return statement.json().entries.at(-1)
  }
  await ops(refundLine, { body: { lineId, ...operatorAction } })
  expect(await dueOf(sellerId)).toMatchObject({ due: 0, heldBack: 108 })
  expect(await entry()).toMatchObject({ status: 'held_back', heldBecause: 'undecided' })
  const { id, borneBy } = (await reversalsOf(order.orderId))[0]!
  expect(borneBy).toBeNull()
  expect((await ops(listOpenOrders)).undecided).toMatchObject([{ id, orderId: order.orderId, withdrawn: 120 }])

  await assign(id, 'platform')
  expect(await dueOf(sellerId)).toMatchObject({ due: 108, heldBack: 0 })
  expect(await entry()).toMatchObject({ status: 'due', heldBecause: null })
  await assign(id, 'platform')
  await assign(id, 'seller')
  expect(await dueOf(sellerId)).toBeUndefined()
  expect((await publishedEvents(payments, 'order-line-loss-assigned')).map(({ data }) => data)).toMatchObject([
    { lineId, reversalId: id, kind: 'refund', borneBy: 'platform', lostCents: 12_000 },
    { lineId, reversalId: id, kind: 'refund', borneBy: 'seller', lostCents: 12_000 },
  ])
})

test('the migration takes a stored default for undecided, unless all was paid out or an operator assigned it', async () => {
  const { payments, ops, assign, dueOf, reversalsOf } = await given()
  const refunded = async () => {
    const order = await givenCompletedOrder(payments)
    const { id: lineId, sellerId } = order.lines[0]!
    await ops(refundLine, { body: { lineId, ...operatorAction } })
    return { orderId: order.orderId, sellerId: sellerId!, id: (await reversalsOf(order.orderId))[0]!.id }
  }
  const orders = [await refunded(), await refunded(), await refunded()]
  const [, assigned, paidOut] = orders
  for (const { id } of orders.slice(1)) await assign(id, 'platform')
  await sql`update reversal set borne_by = 'platform'`.execute(payments.db)
  const { due } = (await dueOf(paidOut!.sellerId))!
  const payout = { payoutId: crypto.randomUUID(), userId: paidOut!.sellerId, amount: due }
  await ops(recordPayout, { body: { ...payout, ...operatorAction } })
  await payments.db.transaction().execute(async (trx) => {
    await sql`set local session_replication_role = replica`.execute(trx)
    await sql`delete from audit_log where subject <> ${assigned!.orderId}`.execute(trx)
  })

  const file = join(import.meta.dirname, '../../migrations/008-decided-reversals.sql')
  const [reset] = /^update reversal set borne_by = null[^;]*;/m.exec(await readFile(file, 'utf8'))!
  await sql.raw(reset).execute(payments.db)
  const bearers = await Promise.all(orders.map(async ({ orderId }) => (await reversalsOf(orderId))[0]!.borneBy))
  expect(bearers).toEqual([null, 'platform', 'platform'])
})

test('each refund of a line is published once, a failed one once more as failed', async () => {
  const { payments, ops, refundByHand } = await given()
  const order = await givenCompletedOrder(payments)
  const lineId = order.lines[0]!.id
  const published = async () => (await publishedEvents(payments, 'order-line-refunded')).map(({ data }) => data)
  const first = await refundByHand(order.intentId, 1_000)
  await expect.poll(published, patience).toHaveLength(1)
  const second = await refundByHand(order.intentId, 1_500)
  await expect.poll(published, patience).toHaveLength(2)
  await ops(refundLine, { body: { lineId, ...operatorAction } })
  expect(await published()).toMatchObject([
    { refundId: first.id, refundedCents: 1_000, whole: false },
    { refundId: second.id, refundedCents: 1_500, whole: false },
    { lineId, refundedCents: 9_500, whole: true },
  ])

  await payments.sandbox.failRefund(second.id)
  await waitForLines(payments, order.orderId, 'completed')
  await ops(refundLine, { body: { lineId, ...operatorAction } })
  expect(await published()).toHaveLength(4)
  expect((await publishedEvents(payments, 'order-line-refund-failed')).map(({ data }) => data)).toMatchObject([
    { lineId, refundId: second.id, refundedCents: 1_500 },
  ])
})

test('ops refund finds a refund that was made at the processor, and pays nothing twice', async () => {
  const payments = await startTestPayments({ webhooks: false })
  const order = await givenCompletedOrder(payments)
  await dashboard(payments.sandbox.url).refunds.create({ payment_intent: order.intentId })
  const refund = await payments.internal(refundLine, { body: { lineId: order.lines[0]!.id, ...operatorAction } })
  expect(refund).toMatchObject({ state: 'succeeded', amount: 120 })
  expect((await lines(payments, order.orderId))[0]!.state).toBe('refunded')
  expect((await payments.sandbox.totals()).refunded).toBe(12_000)
  expect(await alarms(payments)).toEqual(['refund_found'])
})

test('after a partial refund at the processor, ops refund pays back the rest', async () => {
  const { payments, ops, refundByHand } = await given()
  const order = await givenCompletedOrder(payments)
  const lineId = order.lines[0]!.id
  await refundByHand(order.intentId, 5_000)
  await expect.poll(async () => (await booksOf(payments, lineId)).platform, patience).toBe(-4_500)
  expect((await lines(payments, order.orderId))[0]!.state).toBe('completed')
  expect(await ops(refundLine, { body: { lineId, ...operatorAction } })).toMatchObject({
    state: 'succeeded',
    amount: 70,
  })
  await waitForLines(payments, order.orderId, 'refunded')
  expect((await payments.sandbox.totals()).refunded).toBe(12_000)
})

test('the release of a hold, which the processor also calls a refund, is none', async () => {
  const { payments } = await given()
  const { orderId, url } = await givenOpenOrder(payments)
  await payments.sandbox.pay(url)
  await waitForLines(payments, orderId, 'authorised')
  const { data } = await dashboard(payments.sandbox.url).paymentIntents.list()
  await dashboard(payments.sandbox.url).paymentIntents.cancel(data[0]!.id)
  await expect
    .poll(
      async () =>
        (
          await payments.db
            .selectFrom('stripeInbox')
            .select('outcome')
            .where('type', '=', 'charge.refunded')
            .where('handledAt', 'is not', null)
            .execute()
        ).length,
      patience,
    )
    .toBe(1)
  expect(await payments.db.selectFrom('reversal').selectAll().execute()).toEqual([])
})

test('a part of an order of two lines holds both payouts back until its line is named', async () => {
  const { payments, refundByHand, dueOf, assign, reversalsOf } = await given()
  const items = [payments.peers.givenItem(), payments.peers.givenItem({ priceCents: 5_000 })]
  const order = await givenCompletedOrder(payments, { items })
  const [first, second] = order.lines
  const { id } = await refundByHand(order.intentId, 5_000)
  await expect.poll(async () => (await reversalsOf(order.orderId))[0], patience).toMatchObject({ ambiguous: true })
  expect(await dueOf(first!.sellerId)).toMatchObject({ due: 0, heldBack: 108 })
  expect(await dueOf(second!.sellerId)).toMatchObject({ due: 0, heldBack: 45 })
  expect((await lines(payments, order.orderId)).map(({ state }) => state)).toEqual(['completed', 'completed'])
  expect(await publishedEvents(payments, 'order-line-refunded')).toEqual([])

  await expect(assign(id, 'platform', [crypto.randomUUID()])).rejects.toMatchObject({ code: 'line_not_captured' })
  await assign(id, 'platform', [second!.id])
  expect((await lines(payments, order.orderId)).map(({ state }) => state)).toEqual(['completed', 'refunded'])
  expect(await dueOf(first!.sellerId)).toMatchObject({ due: 108, heldBack: 0 })
  expect(await booksOf(payments, first!.id)).toEqual({ sale: 10_800, royalty: 0, commission: 1_200, platform: 0 })
  expect(await booksOf(payments, second!.id)).toEqual({ sale: 4_500, royalty: 0, commission: 0, platform: -4_500 })
  expect((await publishedEvents(payments, 'order-line-refunded')).map(({ data }) => data)).toMatchObject([
    { lineId: second!.id, refundedCents: 5_000 },
  ])
})

test('a refund that fails at the bank after it succeeded is undone in the books, with an alarm', async () => {
  const { payments, ops, dueOf, refunds } = await given()
  const order = await givenCompletedOrder(payments)
  const [line] = order.lines
  await ops(refundLine, { body: { lineId: line!.id, ...operatorAction } })
  await waitForLines(payments, order.orderId, 'refunded')

  const { data } = await refunds.list({ payment_intent: order.intentId })
  await payments.sandbox.failRefund(data[0]!.id)

  await waitForLines(payments, order.orderId, 'completed')
  expect(await booksOf(payments, line!.id)).toEqual({ sale: 10_800, royalty: 0, commission: 1_200, platform: 0 })
  expect(await dueOf(line!.sellerId)).toMatchObject({ due: 108 })
  expect(await alarms(payments)).toEqual(['refund_failed'])
  expect(await ops(refundLine, { body: { lineId: line!.id, ...operatorAction } })).toMatchObject({ state: 'succeeded' })
  await waitForLines(payments, order.orderId, 'refunded')
})

test('a refund that is pending holds the payout back and is booked when it succeeds', async () => {
  const { payments, ops, dueOf } = await given()
  const { orderId, url } = await givenOpenOrder(payments)
  await payments.sandbox.pay(url, '4000000000007726')
  await waitForLines(payments, orderId, 'authorised')
  const [line] = await lines(payments, orderId)
  await deliver(payments, line!)
  await waitForLines(payments, orderId, 'completed')
  expect(await ops(refundLine, { body: { lineId: line!.id, ...operatorAction } })).toMatchObject({ state: 'requested' })
  expect(await dueOf(line!.sellerId)).toMatchObject({ due: 0, heldBack: 108 })
  await payments.sandbox.advance(10_000)
  await waitForLines(payments, orderId, 'refunded')
  expect(await alarms(payments)).toEqual([])
})

test('a disputed sale is not paid out; when the dispute is won it is, when it is lost platform bears it', async () => {
  const { payments, ops, dueOf, assign, reversalsOf } = await given()
  const [won, lost] = [await givenCompletedOrder(payments), await givenCompletedOrder(payments)]
  for (const { orderId, intentId } of [won, lost]) {
    await payments.sandbox.dispute(intentId)
    await waitForLines(payments, orderId, 'disputed')
  }
  expect(await dueOf(won.lines[0]!.sellerId)).toMatchObject({ due: 0, heldBack: 108 })
  expect((await reconcile(payments)).differences).toEqual([])

  await payments.sandbox.closeDispute((await reversalsOf(won.orderId))[0]!.id, 'won')
  await payments.sandbox.closeDispute((await reversalsOf(lost.orderId))[0]!.id, 'lost')
  await waitForLines(payments, won.orderId, 'completed')
  await expect.poll(async () => (await reversalsOf(lost.orderId))[0], patience).toMatchObject({ status: 'lost' })
  expect(await dueOf(won.lines[0]!.sellerId)).toMatchObject({ due: 108, heldBack: 0 })
  expect((await lines(payments, lost.orderId))[0]!.state).toBe('disputed')
  expect(await booksOf(payments, lost.lines[0]!.id)).toMatchObject({ commission: 0, platform: -10_800 })
  const refund = ops(refundLine, { body: { lineId: lost.lines[0]!.id, ...operatorAction } })
  await expect(refund).rejects.toMatchObject({ code: 'not_refundable' })

  const { sellerId } = lost.lines[0]!
  expect(await dueOf(sellerId)).toMatchObject({ due: 0, heldBack: 108 })
  await assign((await reversalsOf(lost.orderId))[0]!.id, 'platform')
  expect(await dueOf(sellerId)).toMatchObject({ due: 108, heldBack: 0 })
})

test('a charge may have two disputes; what is left of a disputed line is not refundable', async () => {
  const { payments, ops, dueOf, reversalsOf } = await given()
  const order = await givenCompletedOrder(payments)
  const { id: lineId, sellerId } = order.lines[0]!
  await payments.sandbox.dispute(order.intentId, { amount: 5_000 })
  await waitForLines(payments, order.orderId, 'disputed')
  const refund = ops(refundLine, { body: { lineId, ...operatorAction } })
  await expect(refund).rejects.toMatchObject({ code: 'not_refundable' })

  await payments.sandbox.dispute(order.intentId, { amount: 7_000 })
  await expect.poll(async () => (await reversalsOf(order.orderId)).length, patience).toBe(2)
  const [first, second] = await reversalsOf(order.orderId)
  expect(await booksOf(payments, lineId)).toEqual({ sale: 10_800, royalty: 0, commission: 0, platform: -10_800 })
  await payments.sandbox.closeDispute(first!.id, 'won')
  await payments.sandbox.closeDispute(second!.id, 'won')
  await waitForLines(payments, order.orderId, 'completed')
  expect(await dueOf(sellerId)).toMatchObject({ due: 108, heldBack: 0 })
})

test('an inquiry raises an alarm and leaves the line refundable; when it becomes a dispute the line is disputed', async () => {
  const { payments, ops, reversalsOf } = await given()
  const [refunded, escalated] = [await givenCompletedOrder(payments), await givenCompletedOrder(payments)]
  for (const { intentId } of [refunded, escalated]) await payments.sandbox.dispute(intentId, { inquiry: true })
  await expect.poll(() => alarms(payments), patience).toEqual(['disputed', 'disputed'])
  expect((await view(payments, refunded)).state).toBe('completed')

  const refund = await ops(refundLine, { body: { lineId: refunded.lines[0]!.id, ...operatorAction } })
  expect(refund).toMatchObject({ state: 'succeeded' })
  await waitForLines(payments, refunded.orderId, 'refunded')

  await payments.sandbox.escalate((await reversalsOf(escalated.orderId))[0]!.id)
  await waitForLines(payments, escalated.orderId, 'disputed')
})

test('an unknown refund cannot be assigned, nor lines that cost less than it', async () => {
  const { payments, ops, refundByHand, assign, reversalsOf } = await given()
  await expect(assign('re_unknown', 'platform')).rejects.toMatchObject({ statusCode: 404, code: 'reversal_not_found' })
  const items = [payments.peers.givenItem(), payments.peers.givenItem({ priceCents: 5_000 })]
  const order = await givenCompletedOrder(payments, { items })
  const { id } = await refundByHand(order.intentId, 6_000)
  await expect.poll(async () => (await reversalsOf(order.orderId)).length, patience).toBe(1)
  const tooSmall = assign(id, 'platform', [order.lines[1]!.id])
  await expect(tooSmall).rejects.toMatchObject({ statusCode: 409, code: 'amount_exceeds_lines' })

  await assign(id, 'platform', [order.lines[0]!.id])
  await ops(refundLine, { body: { lineId: order.lines[1]!.id, ...operatorAction } })
  const own = (await reversalsOf(order.orderId)).find((one) => one.id !== id)!
  await expect(assign(own.id, 'seller', [order.lines[0]!.id])).rejects.toMatchObject({ code: 'line_is_known' })
  expect(await assign(own.id, 'seller')).toMatchObject({ borneBy: 'seller' })
})
