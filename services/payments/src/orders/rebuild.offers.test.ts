import { expect, test } from 'vitest'
import { runDueSteps } from '../testing/due-steps.ts'
import { deliverOnChain, givenLostOrder, pay, rebuildAll } from '../testing/lost-order.ts'
import { givenOpenOffer } from '../testing/offer.ts'
import { startTestPayments } from '../testing/payments.ts'
import { reconcile } from '../testing/reconciliation.ts'
import { booksOf, deliver, lines, publishedEvents } from '../testing/sale.ts'
import { findOrder, wakeOrder } from './order.store.ts'

const payments = await startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })
const { db, deps, sandbox, peers } = payments
const { processor } = deps

const given = (to?: string | null, kind: 'offer' | 'bid' = 'offer') =>
  givenLostOrder(payments, [peers.givenItem({ forSale: false })], to, kind, peers.givenBuyer().userId)
const lineOf = async (orderId: string) => (await lines(payments, orderId))[0]!
const eventsOf = async (orderId: string) =>
  (await publishedEvents(payments)).filter(({ data }) => data.orderId === orderId).map(({ name }) => name.split('.')[1])
const run = async (orderId: string) => {
  await wakeOrder(db, orderId)
  await runDueSteps(deps)
}

test('the open page of a lost offer is closed', async () => {
  const lost = await given()
  await rebuildAll(payments)
  expect(await findOrder(db, lost.orderId)).toMatchObject({ orderKind: 'offer', days: 3 })
  expect(await lineOf(lost.orderId)).toMatchObject({ state: 'released', conditional: true })
  expect((await processor.session(lost.session.id)).status).toBe('expired')
  expect(await eventsOf(lost.orderId)).toEqual(['bid-released'])
})

test('a lost offer whose card is held is held again, and then accepted, delivered and charged', async () => {
  const lost = await given()
  await pay(payments, lost)
  await rebuildAll(payments)
  const { orderId, sold } = lost
  expect(await lineOf(orderId)).toMatchObject({ state: 'held', name: sold[0]!.name, sellerId: sold[0]!.sellerId })
  expect(await findOrder(db, orderId)).toMatchObject({ money: 'held', authorisedAt: null, decideBy: expect.any(Date) })
  expect((await reconcile(payments)).differences).toEqual([])

  peers.acceptOffer(orderId)
  await run(orderId)
  await deliver(payments, await lineOf(orderId))
  await run(orderId)
  expect(await findOrder(db, orderId)).toMatchObject({ money: 'captured', capturedCents: 12_000 })
  expect((await reconcile(payments)).differences).toEqual([])
})

test('two lost offers of one buyer for one work keep no other order from being rebuilt', async () => {
  const first = await given()
  const again = await givenLostOrder(payments, first.sold, undefined, 'offer', first.buyerId)
  const other = await given()
  for (const lost of [again, other]) await pay(payments, lost)

  await rebuildAll(payments)

  expect(await lineOf(first.orderId)).toMatchObject({ state: 'released' })
  expect(await lineOf(again.orderId)).toMatchObject({ state: 'held' })
  expect(await lineOf(other.orderId)).toMatchObject({ state: 'held' })
})

test('a lost offer that was accepted meanwhile is delivered', async () => {
  const lost = await given()
  await pay(payments, lost)
  peers.acceptOffer(lost.orderId)
  await rebuildAll(payments)
  expect(await lineOf(lost.orderId)).toMatchObject({ state: 'authorised' })
})

test('a lost offer that ended meanwhile is given back', async () => {
  const lost = await given(null)
  const intentId = await pay(payments, lost)
  peers.endOffer(lost.orderId, 'declined')
  await rebuildAll(payments)
  expect(await lineOf(lost.orderId)).toMatchObject({ state: 'released', reason: 'lost', note: 'declined' })
  expect(await processor.hold(intentId)).toMatchObject({ status: 'canceled' })
})

test('a lost offer that was delivered is charged, although catalog has that it was declined', async () => {
  const lost = await given()
  const intentId = await pay(payments, lost)
  deliverOnChain(payments, lost.sold[0]!)
  peers.endOffer(lost.orderId, 'declined')
  await rebuildAll(payments)
  expect(await lineOf(lost.orderId)).toMatchObject({ state: 'completed', capturedCents: 12_000 })
  expect(await processor.hold(intentId)).toMatchObject({ status: 'succeeded' })
  expect((await reconcile(payments)).differences).toEqual([])
})

test('a lost offer that was charged for less has the price that was charged', async () => {
  const lost = await given()
  const intentId = await pay(payments, lost)
  deliverOnChain(payments, lost.sold[0]!)
  await processor.capture(intentId, 10_000, `capture:${lost.orderId}`)
  await rebuildAll(payments)
  const line = await lineOf(lost.orderId)
  expect(line).toMatchObject({ state: 'completed', priceCents: 10_000, capturedCents: 10_000 })
  expect(await booksOf(payments, line.id)).toMatchObject({ sale: 9_000, commission: 1_000 })
  expect((await reconcile(payments)).differences).toEqual([])
})

test('a lost offer whose hold ended is lost, and written off when it was delivered', async () => {
  const [undelivered, delivered] = [await given(), await given()]
  for (const lost of [undelivered, delivered]) await sandbox.lapse(await pay(payments, lost))
  deliverOnChain(payments, delivered.sold[0]!)
  await rebuildAll(payments)
  expect(await lineOf(undelivered.orderId)).toMatchObject({ state: 'released', reason: 'lost', note: 'hold_lost' })
  expect(await eventsOf(undelivered.orderId)).toEqual(['bid-released'])
  expect(await lineOf(delivered.orderId)).toMatchObject({ state: 'written_off', priceCents: 12_000 })
})

test('a restored database that has an offer as held finds it delivered and charged', async () => {
  const { orderId, url } = await givenOpenOffer(payments)
  await sandbox.pay(url)
  await run(orderId)
  const { intentId } = (await findOrder(db, orderId))!
  deliverOnChain(payments, { ...(await lineOf(orderId)), lineId: (await lineOf(orderId)).id } as never)
  await processor.capture(intentId!, 9_000, `capture:${orderId}`)
  await run(orderId)
  expect(await lineOf(orderId)).toMatchObject({ state: 'completed', capturedCents: 9_000 })
})

test('a lost bid is rebuilt as one: held, and then won, delivered and charged its price', async () => {
  const [lost, lapsed] = [await given(undefined, 'bid'), await given(undefined, 'bid')]
  await pay(payments, lost)
  await sandbox.lapse(await pay(payments, lapsed))
  await rebuildAll(payments)
  expect(await findOrder(db, lost.orderId)).toMatchObject({ orderKind: 'bid', days: null, money: 'held' })
  expect(await lineOf(lost.orderId)).toMatchObject({ state: 'held', conditional: true, priceCents: 12_000 })
  expect(await lineOf(lapsed.orderId)).toMatchObject({ state: 'released', note: 'hold_lost' })

  peers.acceptOffer(lost.orderId, 10_000)
  await run(lost.orderId)
  await deliver(payments, await lineOf(lost.orderId))
  await run(lost.orderId)
  expect(await findOrder(db, lost.orderId)).toMatchObject({ money: 'captured', capturedCents: 10_000 })
  expect((await reconcile(payments)).differences).toEqual([])
})
