import { randomUUID } from 'node:crypto'
import { getReconciliation, startReconciliation } from '@nifty/api/payments/ops'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { findOrder } from '../orders/order.store.ts'
import { startTestPayments } from '../testing/payments.ts'
import {
  callProcessor,
  finishRun,
  givenCompleted,
  givenHeld,
  reconcile,
  startLater,
} from '../testing/reconciliation.ts'
import { alarms, booksOf, givenOpenOrder, lines } from '../testing/sale.ts'

const manual = () => startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })

test('orders, books, processor and chain agree; the next run starts where this one ended', async () => {
  const payments = await manual()
  const sold = await givenCompleted(payments)
  const held = await givenHeld(payments)

  const first = await reconcile(payments)
  const second = await reconcile(payments)

  expect(first).toMatchObject({ differences: [], differenceCount: 0, error: null, isFull: false })
  expect(first.ours).toEqual(first.processor)
  expect(first.ours).toMatchObject({ heldCents: 24_000, capturedCents: 12_000, inFlightCents: 12_000 })
  expect(Date.parse(second.since)).toBeLessThanOrEqual(Date.parse(first.until))
  expect(Date.parse(second.since)).toBeGreaterThan(Date.parse(first.since))
  expect(await findOrder(payments.db, sold.orderId)).toMatchObject({ unreconciledChanges: 0 })
  expect((await findOrder(payments.db, held.orderId))!.unreconciledChanges).toBeGreaterThan(0)
})

test('a run without anything new reads no order again, and a full one reads all', async () => {
  const payments = await manual()
  await givenCompleted(payments)
  await reconcile(payments)

  await startLater(payments)
  const { compared } = await finishRun(payments)
  expect(compared).toMatchObject({ intents: 0, orders: 0, refunds: 0 })

  await sql`update reconciliation set until = now() - interval '1 hour'`.execute(payments.db)
  expect((await reconcile(payments, { all: true })).compared).toMatchObject({ all_orders: 1, intents: 1, items: 0 })
})

test('one cent is found, named with its order, and gone once it is corrected', async () => {
  const payments = await manual()
  const { orderId } = await givenCompleted(payments)
  expect((await reconcile(payments)).differences).toEqual([])
  await startLater(payments)
  const change = (cents: number) => sql`update orders set held_cents = held_cents + ${cents}`.execute(payments.db)

  await change(1)
  const { differences, differenceCount } = await finishRun(payments)
  expect(differences).toMatchObject([{ kind: 'order', orderId, detail: expect.stringContaining('held 12001') }])
  expect(differenceCount).toBe(1)

  await change(-1)
  expect((await reconcile(payments)).differences).toEqual([])
})

test('a refund, made at the processor, of an order that agreed before the period is found and booked', async () => {
  const payments = await manual()
  const { intentId, line } = await givenCompleted(payments)
  await reconcile(payments)

  await startLater(payments)
  await callProcessor(payments, '/v1/refunds', { payment_intent: intentId, amount: '4000' })
  const { differences, compared, ours, processor } = await finishRun(payments)

  expect(compared).toMatchObject({ intents: 0, refunds: 1, orders: 1 })
  expect([differences, ours.withdrawnCents, processor.withdrawnCents]).toEqual([[], 4_000, 4_000])
  expect(await alarms(payments)).toContain('refund_found')
  const { sale, commission, platform } = await booksOf(payments, line.id)
  expect(sale + commission + platform).toBe(8_000)
})

test('a dispute whose events were lost is found, and so is its end', async () => {
  const payments = await manual()
  const { orderId, intentId } = await givenCompleted(payments)
  await reconcile(payments)

  await startLater(payments)
  const { id } = await payments.sandbox.dispute(intentId)
  await finishRun(payments)
  expect(await alarms(payments)).toContain('disputed')
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'disputed' }])

  await startLater(payments)
  await payments.sandbox.closeDispute(id, 'won')
  expect(await finishRun(payments)).toMatchObject({ differences: [], compared: { intents: 0, disputes: 0, orders: 1 } })
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'completed' }])
})

test('an intent at the processor without an order of ours is found until it is released', async () => {
  const payments = await manual()
  const { orderId, url } = await givenOpenOrder(payments)
  await sql`update orders set session_id = 'cs_lost', intent_id = 'pi_other' where id = ${orderId}`.execute(payments.db)
  await payments.sandbox.pay(url)

  const { differences } = await reconcile(payments)
  expect(differences).toMatchObject([{ kind: 'intent', orderId, detail: expect.stringContaining('in flight 12000') }])

  await callProcessor(payments, `/v1/payment_intents/${differences[0]!.intentId}/cancel`)
  expect((await reconcile(payments)).differences).toEqual([])
})

test('a hold of an order whose session was believed missing is found and cancelled', async () => {
  const payments = await manual()
  const { orderId, url } = await givenOpenOrder(payments)
  await payments.sandbox.pay(url)
  await sql`update line set state = 'released', reason = 'expired'`.execute(payments.db)
  await sql`update orders set session_id = null, session_url = null, next_run_at = null`.execute(payments.db)

  expect((await reconcile(payments)).differences).toEqual([])
  expect(await findOrder(payments.db, orderId)).toMatchObject({ money: 'released' })
  expect(await payments.sandbox.totals()).toMatchObject({ released: 12_000 })
})

test('an order whose hold the processor does not have is released, with the hold that its session has', async () => {
  const payments = await manual()
  const { orderId } = await givenHeld(payments)
  await sql`update orders set intent_id = 'pi_missing'`.execute(payments.db)

  expect((await reconcile(payments)).differences).toEqual([])
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'released' }])
  expect(await payments.sandbox.totals()).toMatchObject({ inFlight: 0 })
  expect(await alarms(payments)).toEqual(['hold_lost', 'paid_after_release', 'session_missing'])
})

test('a book entry too many and a payout without entries are found', async () => {
  const payments = await manual()
  const { orderId, line } = await givenCompleted(payments)
  await reconcile(payments)
  const [{ userId } = { userId: null }] = await payments.db
    .selectFrom('bookEntry')
    .select('userId')
    .where('userId', 'is not', null)
    .execute()
  await payments.db
    .insertInto('bookEntry')
    .values({
      lineId: line.id,
      kind: 'royalty',
      userId,
      amountCents: 1,
      cause: 'capture',
      reversalId: null,
      payoutId: null,
    })
    .execute()
  const payout = { id: randomUUID(), userId: userId!, amountCents: 700, operator: 'ada', reason: 'a test' }
  await payments.db.insertInto('payout').values(payout).execute()

  expect((await reconcile(payments)).differences).toMatchObject([
    { kind: 'order', orderId, detail: 'booked 12001 where 12000 were captured and not withdrawn' },
    { kind: 'payout', subject: payout.id, detail: 'payout of 700, its book entries are 0' },
  ])
})

test('lines and owners that differ on the chain are found, and resolved when an event arrives', async () => {
  const payments = await manual()
  const { peers, db } = payments
  const { orderId, line } = await givenHeld(payments)
  const [owner, other] = [randomUUID(), randomUUID()]
  peers.finalLines.add(line.id)
  for (const token of ['0xa/1', '0xa/2', '0xa/3']) peers.tokenOwners.set(token, owner)
  for (const token of ['0xa/1', '0xa/4']) peers.itemOwners.set(token, owner)
  peers.itemOwners.set('0xa/2', other)

  const { differences } = await reconcile(payments, { all: true })
  expect(differences.map(({ kind, subject, detail }) => [kind, subject, detail])).toEqual([
    ['line', line.id, 'delivered on the chain, but authorised in payments'],
    ['token', '0xa/2', `belongs to ${owner} on the chain, to ${other} in catalog`],
    ['token', '0xa/3', 'is on the chain, but not in catalog'],
    ['token', '0xa/4', 'is in catalog, but not on the chain'],
  ])
  expect(differences[0]).toMatchObject({ orderId })

  await sql`update line set state = 'delivering'`.execute(db)
  await sql`update line set state = 'delivered'`.execute(db)
  peers.itemOwners.set('0xa/2', owner).set('0xa/3', owner).delete('0xa/4')
  expect((await reconcile(payments)).differences).toEqual([])
})

test('a line that is delivered in payments, but not on the chain, is found', async () => {
  const payments = await manual()
  const { orderId, line } = await givenCompleted(payments)
  payments.peers.finalLines.delete(line.id)
  expect((await reconcile(payments)).differences).toMatchObject([
    { orderId, detail: `line ${line.id} is delivered in payments, but not on the chain` },
  ])
})

test('the worker of the service runs it, starts it after the interval, and the metrics show its result', async () => {
  const payments = await startTestPayments({ env: { RECONCILE_EVERY_HOURS: '1' } })
  const { db, internal } = payments
  const metric = async (name: string) => {
    const text = await (await fetch(`${payments.internalUrl}/metrics`)).text()
    return new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]
  }
  await givenOpenOrder(payments)
  expect(await internal(getReconciliation)).toEqual({ run: null })
  expect(await metric('nifty_reconcile_balanced')).toBeUndefined()

  await sql`update orders set created_at = now() - interval '61 minutes'`.execute(db)
  const balanced = () => metric('nifty_reconcile_balanced')
  await expect.poll(balanced, { timeout: 60_000 }).toBe('1')
  expect(Number(await metric('nifty_reconcile_age_seconds'))).toBeLessThan(3_600)

  await db
    .insertInto('payout')
    .values({ id: randomUUID(), userId: randomUUID(), amountCents: 1, operator: 'ada', reason: 'a test' })
    .execute()
  await internal(startReconciliation, { body: {} })
  await expect.poll(balanced, { timeout: 60_000 }).toBe('0')
})
