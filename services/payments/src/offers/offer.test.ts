import { expect, test } from 'vitest'
import { accept, endedOf, givenHeldOffer } from '../testing/offer.ts'
import { startTestPayments } from '../testing/payments.ts'
import { booksOf, deliver, intentOf, lines, publishedEvents, view, waitForLines } from '../testing/sale.ts'

const payments = await startTestPayments()
const { peers, sandbox, consume } = payments

const holdOf = async (orderId: string) => payments.deps.processor.hold(await intentOf(payments, orderId))
const HELD = 'payments.bid-held.v1'
const publishedAbout = async (orderId: string) =>
  (await publishedEvents(payments)).filter(({ data }) => data.orderId === orderId)
const eventsOf = async (orderId: string) => (await publishedAbout(orderId)).filter(({ name }) => name !== HELD)

test('an accepted offer is delivered, and then charged', async () => {
  const offer = await givenHeldOffer(payments)
  const { orderId } = offer
  expect(peers.bids.get(orderId)!.begun).toMatchObject({ buyerId: offer.buyer.userId, limitCents: 9_000, days: 3 })
  const held = await view(payments, offer)
  expect(held).toMatchObject({ kind: 'offer', state: 'held', total: 90, captured: 0, cancellable: true, url: null })
  expect(Date.parse(held.decideBy!)).toBeGreaterThan(Date.now() + 2 * 86_400_000)
  const { buyer, item } = offer
  const work = { itemId: item.itemId, name: item.name, image: item.image, priceCents: 9_000 }
  expect(await publishedAbout(orderId)).toMatchObject([
    { name: HELD, data: { ...work, kind: 'offer', buyerId: buyer.userId, endsAt: held.decideBy } },
  ])

  await accept(payments, offer)
  await waitForLines(payments, orderId, 'authorised')
  expect(await view(payments, offer)).toMatchObject({ state: 'authorised', decideBy: null, cancellable: false })
  expect(await eventsOf(orderId)).toMatchObject([
    { name: 'payments.order-line-authorised.v1', data: { priceCents: 9_000, sellerId: offer.item.sellerId } },
    { name: 'payments.order-authorised.v1', data: { kind: 'offer', totalCents: 9_000, heldCents: 9_000 } },
  ])

  const [line] = await lines(payments, orderId)
  await deliver(payments, line!)
  await waitForLines(payments, orderId, 'completed')
  expect(await holdOf(orderId)).toMatchObject({ status: 'succeeded', capturedCents: 9_000 })
  expect(await booksOf(payments, line!.id)).toMatchObject({ sale: 8_100, commission: 900 })
})

test('an offer that ends is released: its hold is given back, and nothing else is published', async () => {
  const offer = await givenHeldOffer(payments)
  peers.endOffer(offer.orderId, 'declined')

  await consume(endedOf(offer, 'declined'))

  await waitForLines(payments, offer.orderId, 'released')
  await expect.poll(async () => (await holdOf(offer.orderId)).status).toBe('canceled')
  const seen = await view(payments, offer)
  expect(seen).toMatchObject({ state: 'released', lines: [{ reason: 'lost' }], decideBy: null, cancellable: false })
  expect(seen.timeline.at(-1)).toMatchObject({ state: 'released', note: 'declined' })
  const { itemId, name } = offer.item
  expect(await eventsOf(offer.orderId)).toMatchObject([
    {
      name: 'payments.bid-released.v1',
      data: { itemId, held: { name, priceCents: 9_000, buyerId: offer.buyer.userId } },
    },
  ])
})

test('an offer whose hold its bank ended is released, and catalog ends it', async () => {
  const offer = await givenHeldOffer(payments)
  await sandbox.lapse(await intentOf(payments, offer.orderId))

  await waitForLines(payments, offer.orderId, 'released')
  expect((await view(payments, offer)).timeline.at(-1)).toMatchObject({ note: 'hold_lost' })
  expect(await eventsOf(offer.orderId)).toMatchObject([
    { name: 'payments.bid-released.v1', data: { itemId: offer.item.itemId, kind: 'offer', why: 'hold_lost' } },
  ])
})
