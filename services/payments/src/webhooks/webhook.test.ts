import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { lockOrder } from '../orders/order.store.ts'
import { runStep } from '../orders/run-step.ts'
import { type Payments, startTestPayments } from '../testing/payments.ts'
import {
  alarms,
  deliver,
  givenOpenOrder,
  givenPaidOrder,
  lines,
  publishedEvents,
  waitForLines,
} from '../testing/sale.ts'
import { backfillEvents, handleWaitingEvent } from './webhook.actions.ts'
import { OF_ANOTHER_SHOP, received, storeEvents } from './webhook.store.ts'

const dueOrders = async ({ db }: Payments) => {
  const due = db.selectFrom('orders').select('id').where(sql<boolean>`next_run_at <= now()`)
  return (await due.execute()).map(({ id }) => id)
}

test('repeated and reordered webhooks sell once', async () => {
  const payments = await startTestPayments()
  await payments.sandbox.fault({ webhook: '*', mode: 'repeat', copies: 3, times: 4 })
  const first = await givenPaidOrder(payments)
  await payments.sandbox.fault({ webhook: '*', mode: 'reorder', window: 4, delayMs: 500, times: 1 })
  const second = await givenPaidOrder(payments)
  for (const { lines: sold } of [first, second]) await deliver(payments, sold[0]!)
  for (const { orderId } of [first, second]) await waitForLines(payments, orderId, 'completed')

  expect(await payments.sandbox.totals()).toMatchObject({ held: 24_000, captured: 24_000, inFlight: 0 })
  expect(await publishedEvents(payments, 'order-line-authorised')).toHaveLength(2)
  expect(await publishedEvents(payments, 'order-line-completed')).toHaveLength(2)
})

test('a payment without webhooks is found by polling', async () => {
  const payments = await startTestPayments({ webhooks: false })
  const order = await givenPaidOrder(payments)
  await deliver(payments, order.lines[0]!)
  await waitForLines(payments, order.orderId, 'completed')
  expect(await payments.sandbox.totals()).toMatchObject({ captured: 12_000 })
})

test('an expired session without a webhook is found by polling', async () => {
  const payments = await startTestPayments({ webhooks: false })
  const { orderId } = await givenOpenOrder(payments)
  await payments.sandbox.advance(36 * 60_000)
  await waitForLines(payments, orderId, 'released')
})

test('a webhook advances the order without polling', async () => {
  const payments = await startTestPayments({ env: { PAYMENTS_POLL_MS: '3600000' } })
  await givenPaidOrder(payments)
})

test('stored events and deliveries are handled at once, whatever the interval of the workers', async () => {
  const payments = await startTestPayments({ env: { PAYMENTS_POLL_MS: '3600000', PAYMENTS_WORK_MS: '3600000' } })
  const { orderId, lines: sold } = await givenPaidOrder(payments)
  await deliver(payments, sold[0]!)
  await waitForLines(payments, orderId, 'completed')
})

test('an event without news of a known order, or of its session alone, is stored as handled, any other waits', async () => {
  const payments = await startTestPayments({ manual: true, webhooks: true })
  const { url } = await givenOpenOrder(payments)
  await payments.sandbox.pay(url)
  const stored = () => payments.db.selectFrom('stripeInbox').select(['type', 'outcome']).orderBy('type').execute()
  await expect.poll(stored, { timeout: 30_000 }).toEqual([
    { type: 'charge.succeeded', outcome: 'no news' },
    { type: 'checkout.session.completed', outcome: 'order woken' },
    { type: 'customer.created', outcome: 'not about a payment' },
    { type: 'payment_intent.amount_capturable_updated', outcome: 'no news' },
    { type: 'payment_intent.created', outcome: 'no news' },
  ])

  const event = { eventId: 'evt_x', created: new Date(), sessionId: null, subject: null }
  const unknown = { ...event, type: 'charge.succeeded', intentId: 'pi_unknown', orderId: randomUUID() }
  const { id } = await payments.db.selectFrom('orders').select('id').executeTakeFirstOrThrow()
  const captured = { ...event, eventId: 'evt_y', type: 'charge.captured', intentId: 'pi_y', orderId: id }
  await storeEvents(payments.db, [received(unknown), received(captured)], { fetched: false })
  expect((await stored()).filter(({ outcome }) => outcome === null).map(({ type }) => type)).toEqual([
    'charge.captured',
    'charge.succeeded',
  ])
  expect(await dueOrders(payments)).toEqual([id])
})

test('an event of a session wakes its order once, and waits for a step that has its lock', async () => {
  const payments = await startTestPayments({ manual: true })
  const { db } = payments
  const { orderId } = await givenOpenOrder(payments)
  const { sessionId } = await db.selectFrom('orders').select('sessionId').executeTakeFirstOrThrow()
  const eventOf = (eventId: string) => ({
    eventId,
    type: 'checkout.session.completed',
    created: new Date(),
    sessionId,
    intentId: null,
    orderId,
    subject: null,
    traceparent: null,
  })
  const store = (...ids: string[]) => storeEvents(db, ids.map(eventOf), { fetched: false })
  const outcomes = async () => {
    const rows = await db.selectFrom('stripeInbox').select(['eventId', 'outcome']).orderBy('eventId').execute()
    return rows.map(({ eventId, outcome }) => `${eventId} ${outcome}`)
  }

  const step = await db.startTransaction().execute()
  await lockOrder(step, orderId)
  expect(await store('evt_1')).toBe(1)
  await step.commit().execute()
  expect(await outcomes()).toEqual(['evt_1 null'])
  expect(await dueOrders(payments)).toEqual([])
  expect(await handleWaitingEvent(payments.deps)).toBe(true)
  expect(await dueOrders(payments)).toEqual([orderId])

  await runStep(payments.deps, orderId)
  expect(await store('evt_2', 'evt_2', 'evt_3')).toBe(2)
  expect(await outcomes()).toEqual(['evt_1 order woken', 'evt_2 order woken', 'evt_3 order woken'])
  expect(await dueOrders(payments)).toEqual([orderId])

  await runStep(payments.deps, orderId)
  expect(await store('evt_1', 'evt_2', 'evt_3')).toBe(0)
  expect(await dueOrders(payments)).toEqual([])
})

test('a payment found long after it was made raises the alarm webhook_missing', async () => {
  const payments = await startTestPayments({ manual: true })
  const { deps, sandbox } = payments
  const { orderId, url } = await givenOpenOrder(payments)
  await sandbox.pay(url)
  const threeMinutesAgo = Date.now() - 180_000
  const session: typeof deps.processor.session = async (id) => {
    const found = await deps.processor.session(id)
    return { ...found, hold: found.hold && { ...found.hold, paidAtMs: threeMinutesAgo } }
  }
  await runStep({ ...deps, processor: { ...deps.processor, session } }, orderId)
  expect((await lines(payments, orderId))[0]!.state).toBe('authorised')
  expect(await alarms(payments)).toEqual(['webhook_missing'])
})

test('events without a webhook are fetched once', async () => {
  const payments = await startTestPayments({ manual: true })
  const { orderId, url } = await givenOpenOrder(payments)
  await payments.sandbox.pay(url)
  expect(await backfillEvents(payments.deps)).toBeGreaterThan(2)
  expect(await backfillEvents(payments.deps)).toBe(0)
  expect((await lines(payments, orderId))[0]!.state).toBe('awaiting_payment')
})

test('fetched events are stored a hundred with one statement', async () => {
  const { deps, db } = await startTestPayments({ manual: true })
  const created = Math.floor(Date.now() / 1_000)
  async function* events() {
    for (let count = 1; count <= 250; count++)
      yield {
        id: `evt_${count}`,
        type: 'payment_intent.created',
        created,
        data: { object: { object: 'payment_intent' } },
      }
  }
  const statements: string[] = []
  const longPool = db.withPlugin({
    transformQuery: ({ node }) => {
      statements.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const processor = { ...deps.processor, eventsSince: events as never }
  expect(await backfillEvents({ ...deps, longPool, processor })).toBe(250)
  expect(statements.filter((kind) => kind === 'RawNode')).toHaveLength(3)
})

test('a service that was down during a payment finds it at its start', async () => {
  const payments = await startTestPayments({
    webhooks: false,
    env: { PAYMENTS_POLL_MS: '3600000', PAYMENTS_WORK_MS: '50' },
  })
  const { orderId, url } = await givenOpenOrder(payments)
  await payments.sandbox.pay(url)
  await payments.restart()
  await waitForLines(payments, orderId, 'authorised')
})

test.each([
  ['without the id of this store is of another shop, and no alarm', {}, []],
  ['with the id of this store raises an alarm', { store: 'test' }, ['unknown_session']],
])('an event of an unknown session %s; it changes nothing', async (_what, metadata, raised) => {
  const payments = await startTestPayments()
  const { orderId } = await givenOpenOrder(payments)
  const foreign = await payments.deps.processor.createSession(
    {
      mode: 'payment',
      success_url: 'http://store.test/x',
      client_reference_id: orderId,
      metadata: { order: orderId, ...metadata },
      allowed_payment_method_types: ['card'],
      line_items: [{ quantity: 1, price_data: { currency: 'eur', unit_amount: 50, product_data: { name: 'x' } } }],
      payment_intent_data: { capture_method: 'manual' },
    },
    'foreign',
  )
  await payments.sandbox.pay(foreign.url!)
  const outcomes = async () => {
    const rows = await payments.db
      .selectFrom('stripeInbox')
      .select('outcome')
      .where('sessionId', '=', foreign.id)
      .execute()
    return rows.map(({ outcome }) => outcome)
  }
  await expect.poll(outcomes, { timeout: 30_000 }).toEqual([raised.length > 0 ? 'unknown' : OF_ANOTHER_SHOP])
  expect((await alarms(payments)).slice(0, 1)).toEqual(raised)
  expect((await lines(payments, orderId))[0]!.state).toBe('awaiting_payment')
})
