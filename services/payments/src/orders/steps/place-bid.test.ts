import { cancelOrder } from '@nifty/api/payments/ops'
import { acceptOrder, compareOrder } from '@nifty/api/payments/ops-money'
import { accountDeleted } from '@nifty/events/auth'
import { delistRequested } from '@nifty/events/catalog'
import { messageOf } from '@nifty/service-kit/testing/events'
import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import type { CancelRequestedBy } from '../../db.ts'
import { syncReversals } from '../../reversals/reversal.actions.ts'
import { runDueSteps } from '../../testing/due-steps.ts'
import { deliverOnChain } from '../../testing/lost-order.ts'
import { accept, endedOf, givenOpenOffer } from '../../testing/offer.ts'
import { startTestPayments } from '../../testing/payments.ts'
import { callProcessor } from '../../testing/reconciliation.ts'
import {
  booksOf,
  cancel,
  deliver,
  failedFor,
  intentOf,
  lines,
  publishedEvents,
  startedFor,
  view,
} from '../../testing/sale.ts'
import { requestCancellation } from '../cancellation.actions.ts'
import { findOrder, wakeIdleBids, wakeOrder } from '../order.store.ts'
import { runStep } from '../run-step.ts'

const payments = await startTestPayments({ manual: true, env: { RATE_LIMIT_FACTOR: '100' } })
const { peers, sandbox, db, deps, consume, internal } = payments

afterEach(() => {
  peers.failing.clear()
  Object.assign(peers.deciding, { blocked: undefined, waiting: 0 })
})

type Offer = Awaited<ReturnType<typeof givenOpenOffer>>
const run = async ({ orderId }: { orderId: string }) => {
  await wakeOrder(db, orderId)
  await runDueSteps(deps)
}
const pay = async (offer: Offer) => {
  await sandbox.pay(offer.url)
  await run(offer)
}
const givenHeld = async (given: Parameters<typeof givenOpenOffer>[1] = {}) => {
  const offer = await givenOpenOffer(payments, given)
  await pay(offer)
  return offer
}
const lineOf = async ({ orderId }: { orderId: string }) => (await lines(payments, orderId))[0]!
const orderOf = async ({ orderId }: { orderId: string }) => (await findOrder(db, orderId))!
const holdOf = async ({ orderId }: { orderId: string }) => deps.processor.hold(await intentOf(payments, orderId))
/** That a card is held, and that no bank contests its payment: what these tests are not about. */
const besides = ['payments.bid-held.v1', 'payments.order-line-cleared.v1']
const eventsOf = async ({ orderId }: { orderId: string }) =>
  (await publishedEvents(payments))
    .filter(({ name, data }) => data.orderId === orderId && !besides.includes(name))
    .map(({ name, data }) => [name.split('.')[1], data.why].filter(Boolean).join(' '))
const alarmsOf = async ({ orderId }: { orderId: string }) =>
  (await db.selectFrom('alarm').select('name').where('orderId', '=', orderId).execute()).map(({ name }) => name)

/** Its hold was given back, and nothing else happened. */
const expectGivenBack = async (offer: Offer, note: string) => {
  expect(await lineOf(offer)).toMatchObject({ state: 'released', reason: 'lost', note })
  expect(await holdOf(offer)).toMatchObject({ status: 'canceled', capturedCents: 0 })
  expect(await orderOf(offer)).toMatchObject({ money: 'released', authorisedAt: null, nextRunAt: null })
  expect(await eventsOf(offer)).toEqual([`bid-released ${note}`])
}

test('a hold is reported to catalog with its end, and the offer is asked about every five minutes and at its end', async () => {
  const offer = await givenHeld()
  const { captureBefore, decideBy, nextRunAt, authorisedAt } = await orderOf(offer)
  const bid = peers.bids.get(offer.orderId)!
  expect([bid.captureBefore, bid.decideBy]).toEqual([captureBefore!.toISOString(), decideBy!.toISOString()])
  expect(authorisedAt).toBeNull()
  const waitMs = nextRunAt!.getTime() - Date.now()
  expect([waitMs > 280_000, waitMs <= 300_000]).toEqual([true, true])

  bid.decideBy = new Date(Date.now() + 60_000).toISOString()
  await run(offer)
  expect((await orderOf(offer)).nextRunAt!.getTime() - Date.now()).toBeLessThanOrEqual(60_000)
})

test('without the event of catalog the poll finds that the offer was accepted', async () => {
  const offer = await givenHeld()
  peers.acceptOffer(offer.orderId)
  await run(offer)
  expect(await lineOf(offer)).toMatchObject({ state: 'authorised', priceCents: 9_000 })
})

test('accepted for less it is charged less, and the rest of the hold is given back', async () => {
  const offer = await givenHeld()
  await accept(payments, offer, 8_000)
  await runDueSteps(deps)
  expect(await view(payments, offer)).toMatchObject({ total: 80, lines: [{ price: 80 }] })
  const line = await lineOf(offer)
  await deliver(payments, line)
  await run(offer)
  expect(await orderOf(offer)).toMatchObject({ money: 'captured', totalCents: 9_000, capturedCents: 8_000 })
  expect(await booksOf(payments, line.id)).toMatchObject({ sale: 7_200, commission: 800 })
})

test('an accepted offer whose delivery fails is released as a purchase is', async () => {
  const offer = await givenHeld()
  await accept(payments, offer)
  await runDueSteps(deps)
  await consume(failedFor(await lineOf(offer)))
  await runDueSteps(deps)
  expect(await lineOf(offer)).toMatchObject({ state: 'released', reason: 'undeliverable' })
  expect(await eventsOf(offer)).toEqual(['order-line-authorised', 'order-authorised', 'order-line-released'])
  expect(await holdOf(offer)).toMatchObject({ status: 'canceled' })
})

test.each([
  ['before the acceptance was stored', true],
  ['before the end was stored', false],
])('killed after the response of catalog, %s: repeated it does the same once', async (_when, isAccepted) => {
  const offer = await givenHeld()
  if (isAccepted) peers.acceptOffer(offer.orderId)
  else peers.endOffer(offer.orderId, 'declined')
  peers.failing.add('catalog after')
  await expect(runStep(deps, offer.orderId)).rejects.toThrow()
  expect(await lineOf(offer)).toMatchObject({ state: 'held' })

  peers.failing.clear()
  await run(offer)
  if (!isAccepted) return expectGivenBack(offer, 'declined')
  expect(await eventsOf(offer)).toEqual(['order-line-authorised', 'order-authorised'])
})

test('killed between the hold and its report to catalog: the offer stands once', async () => {
  const offer = await givenOpenOffer(payments)
  await sandbox.pay(offer.url)
  expect(await runStep(deps, offer.orderId)).toMatchObject({ step: 'poll_session', nextRunInMs: 0 })
  expect(await lineOf(offer)).toMatchObject({ state: 'held' })
  peers.failing.add('catalog after')
  await expect(runStep(deps, offer.orderId)).rejects.toThrow()
  const { decideBy } = peers.bids.get(offer.orderId)!
  peers.failing.clear()
  await run(offer)
  expect((await orderOf(offer)).decideBy!.toISOString()).toBe(decideBy)
})

test('a card that was held for another amount is given back', async () => {
  const offer = await givenOpenOffer(payments)
  await sandbox.pay(offer.url)
  const { processor } = deps
  const other = { ...processor, session: async (id: string) => ({ ...(await processor.session(id)), amount: 1 }) }
  await runStep({ ...deps, processor: other }, offer.orderId)
  expect(await lineOf(offer)).toMatchObject({ state: 'released', reason: 'cancelled', note: 'amount differs' })
  expect(await eventsOf(offer)).toEqual(['bid-released not_held'])
  expect(await alarmsOf(offer)).toEqual(['amount_differs'])
  await run(offer)
  expect(await holdOf(offer)).toMatchObject({ status: 'canceled' })
})

test('catalog that lacks the offer: it ends with an alarm, and its hold is given back', async () => {
  const offer = await givenHeld()
  peers.bids.delete(offer.orderId)
  await run(offer)
  await expectGivenBack(offer, 'bid_not_found')
  expect(await alarmsOf(offer)).toEqual(['bid_not_found'])
})

test('open after its end: released with an alarm, after five minutes', async () => {
  const offer = await givenHeld()
  const bid = peers.bids.get(offer.orderId)!
  bid.decideBy = new Date(Date.now() - 290_000).toISOString()
  await run(offer)
  expect(await lineOf(offer)).toMatchObject({ state: 'held' })
  bid.decideBy = new Date(Date.now() - 301_000).toISOString()
  await run(offer)
  await expectGivenBack(offer, 'undecided')
  expect(await alarmsOf(offer)).toEqual(['bid_undecided'])
})

test('catalog that does not respond until an hour after the end: released with an alarm', async () => {
  const offer = await givenHeld()
  const endedAgo = (minutes: number) =>
    sql`update orders set decide_by = now() - make_interval(mins => ${minutes}) where id = ${offer.orderId}`.execute(db)
  peers.failing.add('catalog')
  await endedAgo(59)
  await expect(runStep(deps, offer.orderId)).rejects.toThrow()
  await endedAgo(61)
  await run(offer)
  await expectGivenBack(offer, 'undecided')
  expect(await alarmsOf(offer)).toEqual(['bid_undecided'])
})

test('without any response of catalog it ends in time to be delivered before its hold ends', async () => {
  const offer = await givenOpenOffer(payments)
  await sandbox.pay(offer.url)
  await runStep(deps, offer.orderId)
  peers.failing.add('catalog')
  await sql`update orders set capture_before = now() + interval '25 hours' where id = ${offer.orderId}`.execute(db)
  await expect(runStep(deps, offer.orderId)).rejects.toThrow()
  await sql`update orders set capture_before = now() + interval '23 hours' where id = ${offer.orderId}`.execute(db)
  await run(offer)
  await expectGivenBack(offer, 'undecided')
})

test('a hold that its bank ended before the decision ends the offer, and is not delivered', async () => {
  const offer = await givenHeld()
  await sandbox.lapse(await intentOf(payments, offer.orderId))
  peers.acceptOffer(offer.orderId)
  await run(offer)
  expect(await lineOf(offer)).toMatchObject({ state: 'released', reason: 'lost', note: 'hold_lost' })
  expect(await orderOf(offer)).toMatchObject({ money: 'lapsed' })
  expect(await eventsOf(offer)).toEqual(['bid-released hold_lost'])
  expect(await alarmsOf(offer)).toEqual([])
})

test('a hold that its bank ended ends an open offer also while minting does not respond', async () => {
  const offer = await givenHeld()
  await sandbox.lapse(await intentOf(payments, offer.orderId))
  peers.failing.add('minting')
  await run(offer)
  expect(await lineOf(offer)).toMatchObject({ state: 'released', reason: 'lost', note: 'hold_lost' })
  expect(await orderOf(offer)).toMatchObject({ money: 'lapsed' })
})

test('a restored catalog in which an offer has only begun does not open it again once its hold has ended', async () => {
  const offer = await givenHeld()
  await sandbox.lapse(await intentOf(payments, offer.orderId))
  Object.assign(peers.bids.get(offer.orderId)!, { isHeld: false, decideBy: null })
  await run(offer)
  expect(Date.parse(peers.bids.get(offer.orderId)!.captureBefore!)).toBeLessThanOrEqual(Date.now())
})

test('a hold that a process of a former release gave back ends the offer, once this release runs again', async () => {
  const offer = await givenHeld()
  await deps.processor.cancelHold(await intentOf(payments, offer.orderId))
  await sql`update orders set money = 'released', next_run_at = null where id = ${offer.orderId}`.execute(db)
  await runDueSteps(deps)
  expect(await lineOf(offer)).toMatchObject({ state: 'held' })

  await wakeIdleBids(db)
  await runDueSteps(deps)
  await expectGivenBack(offer, 'hold_lost')
})

test('a hold that ends after the acceptance stops the delivery', async () => {
  const offer = await givenHeld()
  await accept(payments, offer)
  await runDueSteps(deps)
  await sandbox.lapse(await intentOf(payments, offer.orderId))
  await run(offer)
  expect(await lineOf(offer)).toMatchObject({ state: 'released', reason: 'undeliverable', note: 'hold lost' })
  expect(await alarmsOf(offer)).toEqual(['hold_lost'])
})

test.each([
  ['the hold', (offer: Offer) => pay(offer)],
  ['its report', () => undefined],
])('captured by hand after %s: an operator cancels the offer, and refunds', async (_when, before) => {
  const offer = await givenOpenOffer(payments)
  await sandbox.pay(offer.url)
  await before(offer)
  const intent = (await deps.processor.session((await orderOf(offer)).sessionId!)).hold!.id
  await callProcessor(payments, `/v1/payment_intents/${intent}/capture`)
  await run(offer)
  expect(await lineOf(offer)).toMatchObject({ state: 'held' })
  const [alarm] = await db.selectFrom('alarm').selectAll().where('orderId', '=', offer.orderId).execute()
  expect(alarm).toMatchObject({
    name: 'unexpected_capture',
    detail: expect.stringContaining(`pnpm ops cancel-order ${offer.orderId}`),
  })
  const { orderId } = offer
  const { processor } = await internal(compareOrder, { params: { id: orderId } })
  const accepting = internal(acceptOrder, { body: { orderId, seen: processor, reason: 'a test' } })
  await expect(accepting).rejects.toMatchObject({ statusCode: 409, code: 'offer_undecided' })

  await internal(cancelOrder, { body: { orderId: offer.orderId, reason: 'a test' } })
  expect(await lineOf(offer)).toMatchObject({ state: 'released', reason: 'lost', note: 'operator' })
})

test('withdrawn by its buyer it is given back at once', async () => {
  const offer = await givenHeld()
  const response = await cancel(payments, offer)
  expect([response.statusCode, response.json()]).toMatchObject([200, { state: 'released', cancellable: false }])
  await expectGivenBack(offer, 'withdrawn')
  expect((await cancel(payments, offer)).statusCode).toBe(200)
})

test('withdrawn after it was accepted: 409, and it is delivered', async () => {
  const offer = await givenHeld()
  peers.acceptOffer(offer.orderId)
  for (let click = 0; click < 2; click++) {
    const response = await cancel(payments, offer)
    expect([response.statusCode, response.json().code]).toEqual([409, 'offer_accepted'])
  }
  expect(await lineOf(offer)).toMatchObject({ state: 'authorised' })
  expect(await view(payments, offer)).toMatchObject({ cancellable: false })
  await consume(startedFor(await lineOf(offer)))
  expect((await cancel(payments, offer)).json().code).toBe('offer_accepted')
})

test.each([
  ['the owner is first', 'accept'],
  ['the buyer is first', 'withdraw'],
])('accepted and withdrawn at the same moment, where %s: catalog decides', async (_who, first) => {
  const offer = await givenHeld()
  const { promise, resolve } = Promise.withResolvers<void>()
  peers.deciding.blocked = promise
  const withdrawing = cancel(payments, offer)
  // The request of payments is at catalog, with the order locked.
  await expect.poll(() => peers.deciding.waiting).toBe(1)
  if (first === 'accept') peers.acceptOffer(offer.orderId)
  resolve()
  const response = await withdrawing
  if (first === 'withdraw') return expectGivenBack(offer, 'withdrawn')
  expect([response.statusCode, response.json().code]).toEqual([409, 'offer_accepted'])
  expect(await lineOf(offer)).toMatchObject({ state: 'authorised' })
})

test('while catalog does not respond a withdrawal stays requested', async () => {
  const offer = await givenHeld()
  peers.failing.add('catalog')
  const response = await cancel(payments, offer)
  expect([response.statusCode, response.json()]).toMatchObject([200, { state: 'held', cancellable: false }])
  peers.failing.clear()
  await run(offer)
  await expectGivenBack(offer, 'withdrawn')
})

test('an offer that ends while its page is open closes the page', async () => {
  const offer = await givenOpenOffer(payments)
  peers.endOffer(offer.orderId, 'sold')
  await consume(endedOf(offer, 'sold'))
  await runDueSteps(deps)
  expect(await lineOf(offer)).toMatchObject({ state: 'released', reason: 'cancelled' })
  expect((await deps.processor.session((await orderOf(offer)).sessionId!)).status).toBe('expired')
  expect(await eventsOf(offer)).toEqual(['bid-released not_held'])
})

test('an offer that ends while its page is being paid gives the hold back', async () => {
  const offer = await givenOpenOffer(payments)
  await sandbox.pay(offer.url)
  peers.endOffer(offer.orderId, 'sold')
  await consume(endedOf(offer, 'sold'))
  await runDueSteps(deps)
  await expectGivenBack(offer, 'sold')
})

test('the page of an offer is polled as work for five minutes, and then as other pages', async () => {
  const offer = await givenOpenOffer(payments)
  const next = async () => {
    const { nextRunAt, nextRunIsPoll } = await orderOf(offer)
    return [nextRunIsPoll, Math.ceil((nextRunAt!.getTime() - Date.now()) / 1_000)]
  }
  expect(await next()).toEqual([false, 10])
  await run(offer)
  expect(await next()).toEqual([false, 10])
  await sql`update orders set created_at = created_at - interval '5 minutes' where id = ${offer.orderId}`.execute(db)
  await run(offer)
  expect(await next()).toEqual([true, 30])
})

test('an operator and a fraud warning end a held offer without catalog', async () => {
  const [byOperator, byWarning] = [await givenHeld(), await givenHeld()]
  peers.failing.add('catalog')
  await internal(cancelOrder, { body: { orderId: byOperator.orderId, reason: 'a test' } })
  await expectGivenBack(byOperator, 'operator')

  await sandbox.warnOfFraud(await intentOf(payments, byWarning.orderId))
  await db.transaction().execute((trx) => syncReversals(trx, deps, byWarning.orderId))
  await runDueSteps(deps)
  await expectGivenBack(byWarning, 'dispute')
})

test('a suspended seller loses an accepted offer that payments still has as held', async () => {
  const offer = await givenHeld()
  peers.acceptOffer(offer.orderId)
  const { itemId } = offer.item
  await consume(
    messageOf(delistRequested, { itemId, orderId: offer.orderId, suspended: true, at: new Date().toISOString() }),
  )
  await runDueSteps(deps)
  await expectGivenBack(offer, 'account')
})

const deleted = (userId: string) => {
  const names = { firstName: 'Ben', username: '@ben', email: 'ben@example.com' }
  return messageOf(accountDeleted, { userId, ...names, at: new Date().toISOString() })
}

test('the deletion of the account ends its offers: held ones, and open pages', async () => {
  const buyer = peers.givenBuyer()
  const [held, open] = [await givenHeld({ buyer }), await givenOpenOffer(payments, { buyer })]
  await consume(deleted(buyer.userId))
  await runDueSteps(deps)
  await expectGivenBack(held, 'withdrawn')
  expect(await lineOf(open)).toMatchObject({ state: 'released', reason: 'cancelled', note: 'account' })
})

test.each([
  ['a wallet', {}, 'authorised'],
  ['custody', { deliverTo: 'custody' }, 'released'],
])('the accepted offer of a deleted account into %s is %s like a paid order', async (_to, body, state) => {
  const offer = await givenHeld({ body })
  peers.acceptOffer(offer.orderId)
  await consume(deleted(offer.buyer.userId))
  await runDueSteps(deps)
  expect(await lineOf(offer)).toMatchObject({ state })
})

test('catalog that has a released offer as accepted gets its release again', async () => {
  const offer = await givenHeld()
  await cancel(payments, offer)
  peers.acceptOffer(offer.orderId)
  await consume(endedOf(offer))
  await runDueSteps(deps)
  expect(await eventsOf(offer)).toEqual(['bid-released withdrawn', 'bid-released withdrawn'])
  await consume(endedOf(offer, 'withdrawn'))
  expect(await eventsOf(offer)).toHaveLength(2)
})

test('a delivery of minting before payments knows of the acceptance is retried', async () => {
  const offer = await givenHeld()
  await consume(startedFor(await lineOf(offer)))
  expect(await lineOf(offer)).toMatchObject({ state: 'held' })
  expect(await db.selectFrom('retryMessage').select('error').execute()).toMatchObject([
    { error: expect.stringContaining('is not authorised yet') },
  ])
})

const deliveredBeforeRestore = async (offer: Offer) =>
  deliverOnChain(payments, { ...offer.item, lineId: (await lineOf(offer)).id })
const requestEnd = (by: CancelRequestedBy) => (offer: Offer) =>
  db.transaction().execute((trx) => requestCancellation(trx, offer.orderId, by))

test.each<[string, (offer: Offer) => unknown]>([
  ['catalog lacks it', ({ orderId }) => peers.bids.delete(orderId)],
  ['it ended because the token moved', ({ orderId }) => peers.endOffer(orderId, 'moved')],
  ['it ended because the work was sold', ({ orderId }) => peers.endOffer(orderId, 'sold')],
  [
    'its buyer withdraws it, and catalog lacks it',
    async (offer) => {
      peers.bids.delete(offer.orderId)
      expect((await cancel(payments, offer)).json().code).toBe('offer_accepted')
    },
  ],
  ['an operator cancels it', requestEnd('operator')],
  ['a bank contests it', requestEnd('dispute')],
  ['its seller is suspended', requestEnd('suspension')],
])('restored to before its acceptance, and delivered since: charged also where %s', async (_where, end) => {
  const offer = await givenHeld()
  await deliveredBeforeRestore(offer)
  await end(offer)
  await run(offer)
  expect(await lineOf(offer)).toMatchObject({ state: 'completed' })
  expect(await orderOf(offer)).toMatchObject({ money: 'captured', capturedCents: 9_000 })
})

test('restored to before its acceptance, and charged since: an operator who cancels it ends nothing', async () => {
  const offer = await givenHeld()
  await deliveredBeforeRestore(offer)
  await deps.processor.capture(await intentOf(payments, offer.orderId), 8_000, `capture:${offer.orderId}`)
  await requestEnd('operator')(offer)
  await run(offer)
  expect(await lineOf(offer)).toMatchObject({ state: 'completed', priceCents: 8_000 })
})

test('restored to before its acceptance, and signed since: an operator who cancels it has its nonce cancelled', async () => {
  const offer = await givenHeld()
  const { id } = await lineOf(offer)
  peers.signedLines.add(id)
  await requestEnd('operator')(offer)
  await run(offer)
  expect(await lineOf(offer)).toMatchObject({ state: 'authorised' })
  expect(await orderOf(offer)).toMatchObject({ money: 'held', cancelRequestedBy: 'operator' })
  expect(peers.stopRequests.filter(({ lineId }) => lineId === id).map(({ reason }) => reason)).toContain('operator')

  await consume(failedFor(await lineOf(offer), 'deadline'))
  await runDueSteps(deps)
  expect(await lineOf(offer)).toMatchObject({ state: 'released', reason: 'cancelled', note: 'operator' })
  expect(await holdOf(offer)).toMatchObject({ status: 'canceled' })
})

test.each<[string, (offer: Offer) => unknown]>([
  ['it was accepted', ({ orderId }) => peers.acceptOffer(orderId)],
  ['an operator cancels it', requestEnd('operator')],
])(
  'restored to before its acceptance, and its hold ended since: delivered, it is written off where %s',
  async (_where, end) => {
    const offer = await givenHeld()
    await deliveredBeforeRestore(offer)
    await sandbox.lapse(await intentOf(payments, offer.orderId))
    await end(offer)
    await run(offer)
    expect(await lineOf(offer)).toMatchObject({ state: 'written_off' })
    expect(await orderOf(offer)).toMatchObject({ money: 'lapsed', capturedCents: 0 })
    expect(await alarmsOf(offer)).toContain('written_off')
  },
)

test('a declined offer is given back while minting does not respond, one of a token that moved later', async () => {
  const [declined, moved] = [await givenHeld(), await givenHeld()]
  peers.endOffer(declined.orderId, 'declined')
  peers.endOffer(moved.orderId, 'moved')
  peers.failing.add('minting')
  await run(declined)
  await expectGivenBack(declined, 'declined')
  await expect(runStep(deps, moved.orderId)).rejects.toThrow()
  peers.failing.clear()
  await run(moved)
  await expectGivenBack(moved, 'moved')
})

test('withdrawn while catalog does not respond until an hour after the end: released with an alarm', async () => {
  const offer = await givenHeld()
  peers.failing.add('catalog')
  await cancel(payments, offer)
  await sql`update orders set decide_by = now() - interval '61 minutes' where id = ${offer.orderId}`.execute(db)
  await run(offer)
  await expectGivenBack(offer, 'undecided')
  expect(await alarmsOf(offer)).toEqual(['bid_undecided'])
})
