import type { BidKind } from '@nifty/api/catalog/bids'
import { bidEnded } from '@nifty/events/catalog'
import { messageOf } from '@nifty/service-kit/testing/events'
import { vi } from 'vitest'
import { findOrder } from '../orders/order.store.ts'
import type { Payments } from './payments.ts'
import type { Item, TestBuyer } from './peers.ts'
import { waitForLines } from './sale.ts'

export const offerFor = (item: Item, changes: object = {}) => ({ itemId: item.itemId, price: 90, days: 3, ...changes })

export const makeOffer = ({ app }: Payments, buyer: TestBuyer, payload: object) =>
  app.inject({ method: 'POST', url: '/api/offers', headers: buyer.headers, payload })

export const bidFor = (item: Item, changes: object = {}) => ({ itemId: item.itemId, limit: 500, ...changes })

export const makeBid = ({ app }: Payments, buyer: TestBuyer, payload: object) =>
  app.inject({ method: 'POST', url: '/api/bids', headers: buyer.headers, payload })

type Given = { item?: Item; buyer?: TestBuyer; body?: object }

/** An offer of 90 € whose payment page is open. */
export const givenOpenOffer = (payments: Payments, given: Given = {}) =>
  begin(payments, given, (buyer, item, body) => makeOffer(payments, buyer, offerFor(item, body)))

/** A bid of up to 500 € whose payment page is open. */
export const givenOpenBid = async (payments: Payments, given: Given = {}) => ({
  ...(await begin(payments, given, (buyer, item, body) => makeBid(payments, buyer, bidFor(item, body)))),
  kind: 'bid' as const,
})

type Begin = (buyer: TestBuyer, item: Item, body: object) => ReturnType<typeof makeOffer>

async function begin({ peers }: Payments, { item, buyer, body = {} }: Given, request: Begin) {
  const bidder = buyer ?? peers.givenBuyer()
  const wanted = item ?? peers.givenItem({ forSale: false })
  const response = await request(bidder, wanted, body)
  if (response.statusCode !== 200) throw new Error(`refused: ${response.body}`)
  const { url, orderId } = response.json() as { url: string; orderId: string }
  return { buyer: bidder, item: wanted, url, orderId }
}

/** An offer whose card is held, and which its owner can accept. */
export async function givenHeldOffer(payments: Payments, given: Given = {}) {
  const offer = await givenOpenOffer(payments, given)
  await payments.sandbox.pay(offer.url)
  await waitForLines(payments, offer.orderId, 'held')
  const stands = async () => (await findOrder(payments.db, offer.orderId))!.decideBy !== null
  await vi.waitUntil(stands, { timeout: 30_000, interval: 20 })
  return offer
}

type Ended = Pick<Awaited<ReturnType<typeof givenOpenOffer>>, 'orderId' | 'item' | 'buyer'> & { kind?: BidKind }

/** The event of catalog that an offer was accepted or a bid has won, or that it ended. */
export const endedOf = ({ orderId, item, buyer, kind = 'offer' }: Ended, why?: string) => {
  const { itemId, contract, identifier, name, image, sellerId } = item
  const work = { itemId, contract, identifier, name, image, priceCents: 9_000 }
  const parties = { buyerId: buyer.userId, ownerId: sellerId, wasHeld: true }
  const outcome = why === undefined ? { outcome: 'won' as const } : { outcome: 'lost' as const, why }
  return messageOf(bidEnded, { orderId, ...work, kind, ...parties, ...outcome, at: new Date().toISOString() })
}

/** Its owner accepts it, or it wins, and payments consumes the event. */
export async function accept({ peers, consume }: Payments, offer: Ended, priceCents?: number) {
  peers.acceptOffer(offer.orderId, priceCents)
  await consume(endedOf(offer))
}
