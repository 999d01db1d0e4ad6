import { sql } from 'kysely'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { runDueSteps } from '../testing/due-steps.ts'
import { deliverOnChain, givenLostOrder, pay, rebuildAll } from '../testing/lost-order.ts'
import { startTestPayments } from '../testing/payments.ts'
import { wallet } from '../testing/peers.ts'
import { reconcile } from '../testing/reconciliation.ts'
import { alarms, cartOf, givenOpenOrder, lines, publishedEvents, start, txHash, waitForLines } from '../testing/sale.ts'
import { handleWaitingEvent } from '../webhooks/webhook.actions.ts'
import { received, storeEvents } from '../webhooks/webhook.store.ts'
import { findOrder } from './order.store.ts'
import { rebuildLostOrders } from './rebuild.actions.ts'
import { runStep } from './run-step.ts'

const payments = await startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })
const { db, deps, sandbox, peers } = payments
const { processor } = deps

const money = async (orderId: string) => (await findOrder(db, orderId))!.money
const states = async (orderId: string) => (await lines(payments, orderId)).map(({ state }) => state)
const entriesOf = async (orderId: string) => {
  const rows = await db
    .selectFrom('bookEntry')
    .innerJoin('line', 'line.id', 'bookEntry.lineId')
    .select(['kind', 'amountCents'])
    .where('line.orderId', '=', orderId)
    .orderBy('kind')
    .execute()
  return rows.map(({ kind, amountCents }) => `${kind} ${amountCents}`)
}
const eventsOf = async (orderId: string) =>
  (await publishedEvents(payments)).filter(({ data }) => data.orderId === orderId).map(({ name }) => name.split('.')[1])

test('a delivered and captured order comes back completed, with its book entries and events', async () => {
  const lost = await givenLostOrder(payments)
  const intentId = await pay(payments, lost)
  await processor.capture(intentId, 12_000, `capture:${lost.orderId}`)
  deliverOnChain(payments, lost.sold[0]!)
  await rebuildAll(payments)

  const [line] = await lines(payments, lost.orderId)
  const { contract, identifier, name, image, sellerId, creatorId, priceCents } = lost.sold[0]!
  expect(line).toMatchObject({ state: 'completed', txHash, contract, identifier, name, image, sellerId, creatorId })
  expect(line).toMatchObject({ id: lost.sold[0]!.lineId, buyerId: lost.buyerId, priceCents })
  expect(await findOrder(db, lost.orderId)).toMatchObject({ money: 'captured', capturedCents: 12_000, wallet })
  expect(await entriesOf(lost.orderId)).toEqual(['commission 1200', 'sale 10800'])
  expect(await eventsOf(lost.orderId)).toEqual(['order-line-authorised', 'order-line-completed'])
  expect((await reconcile(payments)).differences).toEqual([])
})

test('a delivered order whose hold was not captured is captured', async () => {
  const lost = await givenLostOrder(payments)
  const intentId = await pay(payments, lost)
  deliverOnChain(payments, lost.sold[0]!)
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['completed'])
  expect(await processor.hold(intentId)).toMatchObject({ status: 'succeeded', capturedCents: 12_000 })
})

test('of two lines the delivered one is captured and the other released', async () => {
  const lost = await givenLostOrder(payments, [peers.givenItem(), peers.givenItem()])
  const intentId = await pay(payments, lost)
  await processor.capture(intentId, 12_000, `capture:${lost.orderId}`)
  deliverOnChain(payments, lost.sold[1]!)
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['released', 'completed'])
  expect(await findOrder(db, lost.orderId)).toMatchObject({ capturedCents: 12_000 })
})

test('the hold of an order that was not delivered is cancelled', async () => {
  const lost = await givenLostOrder(payments)
  const intentId = await pay(payments, lost)
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['released'])
  expect(await processor.hold(intentId)).toMatchObject({ status: 'canceled' })
  expect(await money(lost.orderId)).toBe('released')
  expect(await eventsOf(lost.orderId)).toEqual(['order-line-released'])
})

test('a delivered order whose hold lapsed is written off', async () => {
  const lost = await givenLostOrder(payments)
  await sandbox.lapse(await pay(payments, lost))
  deliverOnChain(payments, lost.sold[0]!)
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['written_off'])
})

test('a delivered order whose hold was cancelled at the processor is written off', async () => {
  const lost = await givenLostOrder(payments)
  await processor.cancelHold(await pay(payments, lost))
  deliverOnChain(payments, lost.sold[0]!)
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['written_off'])
})

test('a session that cannot be expired now is read again after the poll interval, not at once', async () => {
  const lost = await givenLostOrder(payments)
  await rebuildLostOrders(deps)
  const refuse = () => Promise.reject(new Stripe.errors.StripeInvalidRequestError({ statusCode: 400 } as never))
  const run = await runStep({ ...deps, processor: { ...processor, expireSession: refuse } }, lost.orderId)
  expect(run).toMatchObject({ step: 'rebuild', nextRunInMs: deps.config.pollMs })
  await rebuildAll(payments)
})

test('an open session is closed, and catalog hears that its items are free', async () => {
  const lost = await givenLostOrder(payments)
  await rebuildAll(payments)
  expect((await processor.session(lost.session.id)).status).toBe('expired')
  expect(await states(lost.orderId)).toEqual(['released'])
  expect(await eventsOf(lost.orderId)).toEqual(['order-line-released'])
})

test('nothing is decided while minting does not know whether the chain has delivered a line', async () => {
  const lost = await givenLostOrder(payments)
  const intentId = await pay(payments, lost)
  peers.pendingLines.add(lost.sold[0]!.lineId)
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['placed'])
  expect(await processor.hold(intentId)).toMatchObject({ status: 'requires_capture' })

  peers.pendingLines.clear()
  deliverOnChain(payments, lost.sold[0]!)
  await db.updateTable('orders').set({ nextRunAt: sql<Date>`now()` }).where('id', '=', lost.orderId).execute()
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['completed'])
})

test('an order that the backup holds as unpaid is completed when it was delivered and captured since', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  const session = await processor.session((await findOrder(db, orderId))!.sessionId!)
  await sandbox.pay(url)
  const { hold } = await processor.session(session.id)
  await processor.capture(hold!.id, 12_000, `capture:${orderId}`)
  const [line] = await lines(payments, orderId)
  deliverOnChain(payments, { ...peers.items.get(line!.itemId)!, lineId: line!.id })
  await db.updateTable('orders').set({ nextRunAt: sql<Date>`now()` }).where('id', '=', orderId).execute()
  await rebuildAll(payments)
  expect(await states(orderId)).toEqual(['completed'])
  expect(await findOrder(db, orderId)).toMatchObject({ rebuiltAt: null, capturedCents: 12_000 })
})

test('an item that an older order has open in the restored database is rebuilt once that order ends', async () => {
  const older = await givenOpenOrder(payments)
  const lost = await givenLostOrder(payments, older.items)
  await pay(payments, lost)
  deliverOnChain(payments, lost.sold[0]!)
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['placed'])

  await sandbox.expire((await findOrder(db, older.orderId))!.sessionId!)
  await db.updateTable('orders').set({ nextRunAt: sql<Date>`now()` }).where('id', '=', older.orderId).execute()
  await rebuildAll(payments)
  await db.updateTable('orders').set({ nextRunAt: sql<Date>`now()` }).where('id', '=', lost.orderId).execute()
  await rebuildAll(payments)
  expect(await states(lost.orderId)).toEqual(['completed'])
})

test('an order that another replica is placing is left alone, and a second scan rebuilds nothing', async () => {
  await rebuildAll(payments)
  await sandbox.fault({ request: 'POST /v1/checkout/sessions', mode: 'timeout_after', delayMs: 10, times: 2 })
  const buyer = peers.givenBuyer()
  expect((await start(payments, buyer, cartOf(peers.givenItem()))).statusCode).toBe(503)
  expect(await rebuildLostOrders(deps)).toBe(0)
  const placed = await db.selectFrom('orders').selectAll().where('buyerId', '=', buyer.userId).execute()
  expect(placed).toMatchObject([{ rebuiltAt: null, sessionId: null }])
})

test('two replicas that scan at once rebuild an order once', async () => {
  const lost = await givenLostOrder(payments)
  await pay(payments, lost)
  const rebuilt = await Promise.all([rebuildLostOrders(deps), rebuildLostOrders(deps)])
  expect(rebuilt[0]! + rebuilt[1]!).toBe(1)
  expect(await states(lost.orderId)).toEqual(['placed'])
})

test('an order that another worker rebuilds while its event is handled is no unknown session', async () => {
  const lost = await givenLostOrder(payments)
  await pay(payments, lost)
  const event = { eventId: `evt_${lost.orderId}`, type: 'checkout.session.completed', created: new Date() }
  const subject = { sessionId: lost.session.id, intentId: null, orderId: null, subject: null }
  await storeEvents(db, [received({ ...event, ...subject })], { fetched: false })
  const session = async (id: string) => {
    await rebuildLostOrders(deps)
    return processor.session(id)
  }
  await handleWaitingEvent({ ...deps, processor: { ...processor, session } })
  const handled = db.selectFrom('stripeInbox').select('outcome').where('sessionId', '=', lost.session.id)
  await expect.poll(() => handled.executeTakeFirstOrThrow()).toEqual({ outcome: 'order woken' })
  expect(await alarms(payments)).not.toContain('unknown_session')
})

test('a fraud warning that arrives before its order is authorised cancels the order', async () => {
  const { orderId, url } = await givenOpenOrder(payments)
  await sandbox.pay(url)
  const { hold } = await processor.session((await findOrder(db, orderId))!.sessionId!)
  await sandbox.warnOfFraud(hold!.id)
  const event = { eventId: `evt_${orderId}`, type: 'radar.early_fraud_warning.created', created: new Date() }
  const subject = { sessionId: null, intentId: hold!.id, orderId: null, subject: `issfr_${orderId}` }
  await storeEvents(db, [received({ ...event, ...subject })], { fetched: false })
  await handleWaitingEvent(deps)
  await runDueSteps(deps)
  expect(await states(orderId)).toEqual(['released'])
  expect(await processor.hold(hold!.id)).toMatchObject({ status: 'canceled' })
})

test('the webhook of an unknown order rebuilds it', async () => {
  const running = await startTestPayments()
  const { orderId, session } = await givenLostOrder(running)
  await running.sandbox.pay(session.url!)
  await waitForLines(running, orderId, 'released')
  await expect.poll(() => running.sandbox.totals(), { timeout: 30_000 }).toMatchObject({ inFlight: 0, captured: 0 })
  expect(await alarms(running)).toEqual([])
})
