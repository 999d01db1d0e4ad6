import { sql } from 'kysely'
import Stripe from 'stripe'
import { expect, test, vi } from 'vitest'
import { owedAccounts } from '../../books/payout.actions.ts'
import type { Hold } from '../../processor/processor.ts'
import { syncReversals } from '../../reversals/reversal.actions.ts'
import { startTestPayments } from '../../testing/payments.ts'
import {
  alarms,
  booksOf,
  deliver,
  failedFor,
  givenOpenOrder,
  givenPaidOrder,
  lines,
  publishedEvents,
  startedFor,
  view,
  waitForLines,
} from '../../testing/sale.ts'
import { runStep } from '../run-step.ts'

const captureCalls = 'POST /v1/payment_intents/*/capture'

test('an order of which nothing is delivered is not captured, and its hold is released', async () => {
  const payments = await startTestPayments()
  const order = await givenPaidOrder(payments)
  await payments.consume(failedFor(order.lines[0]!))
  await waitForLines(payments, order.orderId, 'released')
  await expect.poll(() => payments.sandbox.totals()).toMatchObject({ captured: 0, released: 12_000, inFlight: 0 })
  expect((await publishedEvents(payments, 'order-line-released'))[0]!.data).toMatchObject({
    reason: 'undeliverable',
    moneyWasHeld: true,
  })
  expect(await view(payments, order)).toMatchObject({ state: 'released', captured: 0 })
})

test('the amount to capture is stored with the last delivery: the next step captures it', async () => {
  const payments = await startTestPayments({ manual: true })
  const items = [payments.peers.givenItem(), payments.peers.givenItem({ priceCents: 3_333 })]
  const { orderId, url } = await givenOpenOrder(payments, { items })
  await payments.sandbox.pay(url)
  await runStep(payments.deps, orderId)
  const request = () =>
    payments.db.selectFrom('orders').select(['captureCents', 'captureRequestedAt']).executeTakeFirstOrThrow()
  const [first, last] = await lines(payments, orderId)

  await deliver(payments, first!)
  expect(await request()).toEqual({ captureCents: null, captureRequestedAt: null })
  await deliver(payments, last!)
  expect(await request()).toEqual({ captureCents: 15_333, captureRequestedAt: expect.any(Date) })
  expect((await payments.sandbox.totals()).captured).toBe(0)
  const logged = vi.spyOn(payments.deps.log, 'info')
  expect((await runStep(payments.deps, orderId)).step).toBe('capture')
  expect((await payments.sandbox.totals()).captured).toBe(15_333)
  expect(logged.mock.calls).toEqual([[{ orderId, cents: 15_333, seconds: expect.any(Number) }, 'sale: captured']])
  expect(payments.deps.saleTimes.counted()).toEqual({ in_time: 1, late: 0 })
})

test('of two lines only the delivered one is captured, once both are final', async () => {
  const payments = await startTestPayments()
  const items = [payments.peers.givenItem(), payments.peers.givenItem({ priceCents: 3_333 })]
  const order = await givenPaidOrder(payments, { items })
  await deliver(payments, order.lines[1]!)
  await waitForLines(payments, order.orderId, 'authorised', 'delivered')
  expect((await payments.sandbox.totals()).captured).toBe(0)

  await payments.consume(startedFor(order.lines[0]!))
  await payments.consume(failedFor(order.lines[0]!))
  await waitForLines(payments, order.orderId, 'released', 'completed')
  expect(await payments.sandbox.totals()).toMatchObject({
    held: 15_333,
    captured: 3_333,
    released: 12_000,
    inFlight: 0,
  })
})

test('a refused capture leaves the line capture_due, raises an alarm, and succeeds on a later attempt', async () => {
  const payments = await startTestPayments({ manual: true })
  const { deps } = payments
  const { orderId } = await paidByHand(payments)
  const refusing = { ...deps.processor, capture: refusedOnce(deps.processor.capture) }
  await runStep({ ...deps, processor: refusing }, orderId)
  expect(await lines(payments, orderId)).toMatchObject([{ state: 'capture_due', note: 'card_declined' }])
  expect(await alarms(payments)).toEqual(['capture_refused'])
  expect((await payments.sandbox.totals()).captured).toBe(0)

  await runStep({ ...deps, processor: refusing }, orderId)
  expect((await lines(payments, orderId))[0]!.state).toBe('completed')
  expect((await payments.sandbox.totals()).captured).toBe(12_000)
})

test.each([
  ['lost after the effect', { mode: 'timeout_after', delayMs: 10, times: 2 }],
  ['an error after the effect', { mode: 'error_after' }],
  ['lost before the effect', { mode: 'timeout_before', delayMs: 10, times: 2 }],
  ['an error stored under the key, before the effect', { mode: 'error_before', stored: true, times: 1 }],
])('a capture whose response is %s is made once', async (_how, fault) => {
  const payments = await startTestPayments({ manual: true })
  const { orderId } = await paidByHand(payments)
  await payments.sandbox.fault({ request: captureCalls, ...fault })
  await expect(runStep(payments.deps, orderId)).rejects.toThrow()

  for (let tries = 0; tries < 3 && (await lines(payments, orderId))[0]!.state !== 'completed'; tries++)
    await runStep(payments.deps, orderId)
  expect((await lines(payments, orderId))[0]!.state).toBe('completed')
  const { entries, totals } = await payments.sandbox.ledger()
  expect(totals).toMatchObject({ captured: 12_000, inFlight: 0 })
  expect(entries.filter(({ kind }: { kind: string }) => kind === 'captured')).toHaveLength(1)
})

test('a killed process’s capture is sent again under the same key and answered alike', async () => {
  const payments = await startTestPayments({ manual: true })
  const { processor } = payments.deps
  const { orderId } = await paidByHand(payments)
  const responses: Hold[] = []
  const capture: typeof processor.capture = async (...request) => {
    responses.push(await processor.capture(...request))
    if (responses.length === 1) throw new Error('killed before the commit')
    return responses.at(-1)!
  }
  const deps = { ...payments.deps, processor: { ...processor, capture } }
  await expect(runStep(deps, orderId)).rejects.toThrow('killed')

  await runStep(deps, orderId)

  expect(responses).toMatchObject([{ status: 'succeeded', capturedCents: 12_000 }, responses[0]!])
  expect((await lines(payments, orderId))[0]!.state).toBe('completed')
})

test('a capture requested a day ago reads the hold before it is sent again', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, intentId } = await paidByHand(payments)
  await payments.deps.processor.capture(intentId, 12_000, 'another key')
  const longAgo = sql<Date>`now() - interval '24 hours'`
  await payments.db.updateTable('orders').set({ captureRequestedAt: longAgo }).where('id', '=', orderId).execute()
  const never = () => Promise.reject(new Error('must not be called'))
  await runStep({ ...payments.deps, processor: { ...payments.deps.processor, capture: never } }, orderId)
  expect((await lines(payments, orderId))[0]!.state).toBe('completed')
})

test('an amount that was captured by hand is not taken for ours: it raises an alarm and completes nothing', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, intentId } = await paidByHand(payments)
  await payments.deps.processor.capture(intentId, 7_000, 'by hand')

  await runStep(payments.deps, orderId)

  expect((await lines(payments, orderId))[0]!.state).toBe('delivered')
  expect(await alarms(payments)).toEqual(['unexpected_capture'])
  expect(await publishedEvents(payments, 'order-line-completed')).toEqual([])
})

test('a dispute whose event arrives before the response to our capture makes the line disputed', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, intentId } = await paidByHand(payments)
  await payments.sandbox.fault({ request: captureCalls, mode: 'timeout_after', delayMs: 10, times: 2 })
  await expect(runStep(payments.deps, orderId)).rejects.toThrow()
  await payments.sandbox.dispute(intentId)
  await payments.db.transaction().execute((trx) => syncReversals(trx, payments.deps, orderId))
  expect((await lines(payments, orderId))[0]!.state).toBe('delivered')

  await payments.db.updateTable('orders').set({ failures: 1 }).where('id', '=', orderId).execute()
  await runStep(payments.deps, orderId)

  const [line] = await lines(payments, orderId)
  expect(line!.state).toBe('disputed')
  const shares = { sale: 10_800, royalty: 0, commission: 0 }
  expect(await booksOf(payments, line!.id)).toEqual({ ...shares, platform: -10_800 })
})

test('a hold that lapsed after the delivery is written off with an alarm, and the buyer keeps the token', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, intentId } = await paidByHand(payments)
  await payments.sandbox.lapse(intentId)
  for (let step = 0; step < 3; step++) await runStep(payments.deps, orderId)
  expect((await lines(payments, orderId))[0]!.state).toBe('written_off')
  expect(await alarms(payments)).toEqual(['written_off'])
  const [line] = await lines(payments, orderId)
  const shares = { sale: 10_800, royalty: 0, commission: 1_200 }
  expect(await booksOf(payments, line!.id)).toEqual({ ...shares, platform: -12_000 })
  expect(await owedAccounts(payments.db, { holdMs: 0 })).toMatchObject([{ userId: line!.sellerId, dueCents: 10_800 }])
  expect(await publishedEvents(payments, 'order-line-completed')).toEqual([])
  expect(await publishedEvents(payments, 'order-line-written-off')).toMatchObject([
    { data: { lineId: line!.id, sellerId: line!.sellerId, sellerCents: 10_800, txHash: line!.txHash } },
  ])
})

test('a hold that lapsed before the delivery is signed stops it', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, intentId } = await paidByHand(payments, { delivered: false })
  await payments.sandbox.lapse(intentId)
  for (let step = 0; step < 3; step++) await runStep(payments.deps, orderId)
  expect((await lines(payments, orderId))[0]).toMatchObject({ state: 'released', reason: 'undeliverable' })
  expect(await alarms(payments)).toEqual(['hold_lost'])
})

type Hand = { delivered?: boolean }

async function paidByHand(payments: Awaited<ReturnType<typeof startTestPayments>>, { delivered = true }: Hand = {}) {
  const { orderId, url } = await givenOpenOrder(payments)
  await payments.sandbox.pay(url)
  await runStep(payments.deps, orderId)
  const [line] = await lines(payments, orderId)
  if (delivered) await deliver(payments, line!)
  const { intentId } = await payments.db
    .selectFrom('orders')
    .select('intentId')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  return { orderId, intentId: intentId! }
}

/** Refuses the first call as a bank would; the sandbox never refuses the capture of a hold. */
function refusedOnce<Args extends unknown[], Result>(call: (...args: Args) => Promise<Result>) {
  let calls = 0
  return async (...args: Args): Promise<Result> => {
    if (++calls > 1) return call(...args)
    throw new Stripe.errors.StripeCardError({ message: 'no', code: 'card_declined', statusCode: 402 } as never)
  }
}
