import { setTimeout as sleep } from 'node:timers/promises'
import { startAuction } from '@nifty/api/catalog/auctions'
import type { Auction, Nft } from '@nifty/api/catalog/public'
import { makeBid } from '@nifty/api/payments/bids'
import type { Order } from '@nifty/api/payments/public'
import { type ApiClient, pay } from '@nifty/testkit/api-client'
import type { RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import { endAuction } from '../campaign/auctions.ts'
import { withDatabase } from '../campaign/databases.ts'
import type { Bid, Bidder, Move, NewBid, Running } from './bidding.ts'

/** A process that was killed with work claims it for some minutes. */
const TIMEOUTS = { timeoutMs: 420_000, intervalMs: 250 }
const STARTS_IN_MS = 4_000
const OPENING = 10

export type Shop = { run: RunFile; folder: string }

/** One auction, with whom it is for. `winner`: outbids the first bidder, and raises. */
export type Course = Running & { seller: ApiClient; first: Bidder; winner: Bidder }

/** A part of an auction's course; resolves once its outcome is there, however often requests fail meanwhile. */
export type Step = { name: string; run: (shop: Shop, course: Course) => Promise<void> }

const untilAuction = (client: ApiClient, work: Nft, is: (auction: Auction) => boolean): Promise<Auction> =>
  waitUntil(async () => {
    const auction = (await client.item(work).catch(() => undefined))?.auction
    return auction && is(auction) ? auction : undefined
  }, TIMEOUTS)

const untilState = (client: ApiClient, orderId: string, state: Order['state']): Promise<Order> =>
  waitUntil(async () => {
    const order = await client.order(orderId).catch(() => undefined)
    return order?.state === state && order
  }, TIMEOUTS)

/** Its former order is not continued, and not over yet. */
const again = new Set(['order_ending', 'already_buying', 'page_closed'])

/** The order of a bid whose response was lost is found by another request: it has the same amount. */
async function beginBid({ client, wallet }: Bidder, work: Nft, limit: number) {
  const body = { itemId: work._id, limit, deliverTo: wallet ? ('wallet' as const) : ('custody' as const) }
  return waitUntil(async () => {
    const answer = await client.send(makeBid, { body }).catch(() => undefined)
    if (!answer || answer.status >= 500) return undefined
    if (answer.status === 200) return { orderId: answer.body.orderId, url: answer.body.url }
    if (again.has(answer.body.code!)) return undefined
    throw new Error(`${answer.status} ${answer.body.code}`)
  }, TIMEOUTS)
}

async function holdBid({ run }: Shop, course: Course, wanted: NewBid) {
  const { orderId, url } = await beginBid(wanted.bidder, course.work, wanted.limit)
  await waitUntil(async () => (await pay(run, url, run.cards.approved)).body.status === 'authorised', TIMEOUTS)
  const outcome = wanted.move === 'lower' ? 'outbid' : 'leading'
  const made: Bid = { ...wanted, orderId, outcome, stoodAt: null }
  course.bids.push(made)
  return made
}

/** Leads at this price, and the former leader's hold is given back. */
async function lead(
  shop: Shop,
  course: Course,
  bidder: Bidder,
  { move, limit, price }: { move: Move; limit: number; price: number },
) {
  const former = course.leader
  course.leader = await holdBid(shop, course, { bidder, move, limit })
  await untilState(bidder.client, course.leader.orderId, 'held')
  await untilAuction(bidder.client, course.work, (auction) => auction.price === price)
  if (former) await untilState(former.bidder.client, former.orderId, 'released')
}

const start: Step = {
  name: 'start',
  run: async (_shop, { seller, work }) => {
    await waitUntil(async () => {
      const startsAt = new Date(Date.now() + STARTS_IN_MS).toISOString()
      const body = { itemId: work._id, opening: OPENING, hours: 1, startsAt }
      const answer = await seller.send(startAuction, { body }).catch(() => undefined)
      if (!answer || answer.status >= 500) return undefined
      // The response of the request that started it was lost.
      if (answer.status === 200 || answer.body.code === 'on_auction') return true
      throw new Error(`no auction: ${answer.status} ${answer.body.code}`)
    }, TIMEOUTS)
  },
}

const begin: Step = {
  name: 'begin',
  run: async (_shop, { first, work }) => {
    const { startsAt } = await untilAuction(first.client, work, () => true)
    await sleep(Math.max(0, Date.parse(startsAt!) - Date.now()) + 500)
  },
}

const paid: Step = {
  name: 'paid',
  run: (shop, course) => lead(shop, course, course.first, { move: 'lead', limit: 20, price: OPENING }),
}

const outbid: Step = {
  name: 'outbid',
  run: (shop, course) => lead(shop, course, course.winner, { move: 'lead', limit: 40, price: 21 }),
}

const raise: Step = {
  name: 'raise',
  run: (shop, course) => lead(shop, course, course.winner, { move: 'raise', limit: 60, price: 21 }),
}

const extension: Step = {
  name: 'extension',
  run: async (shop, course) => {
    const { work, first } = course
    await setEnd(shop.folder, work, 300)
    const lower = await holdBid(shop, course, { bidder: first, move: 'lower', limit: 30 })
    const { endsAt } = await untilAuction(first.client, work, ({ price }) => price === 32)
    if (Date.parse(endsAt!) < Date.now() + 600_000) throw new Error(`the auction ends at ${endsAt}`)
    await untilState(first.client, lower.orderId, 'released')
  },
}

type Ending = { work: Nft; leader: Bid; state: Order['state'] }

/** An hour passes: the auction ends, also when an outage of catalog has moved its end on. */
const endUntil = ({ folder }: Shop, { work, leader, state }: Ending) =>
  waitUntil(async () => {
    const order = await leader.bidder.client.order(leader.orderId).catch(() => undefined)
    if (order?.state === 'held') await endAuction(folder, { itemId: work._id, leaderOrder: leader.orderId })
    return order?.state === state
  }, TIMEOUTS)

/** With the award, the delivery and the capture. */
const end: Step = {
  name: 'end',
  run: async (shop, { work, leader, winner }) => {
    await endUntil(shop, { work, leader: leader!, state: 'completed' })
    await untilAuction(winner.client, work, ({ outcome }) => outcome === 'sold')
  },
}

/** The course of an auction that ends with a sale. */
export const steps: Step[] = [start, begin, paid, outbid, raise, extension, end]

/** The winner's wallet refuses the token, so the delivery fails. */
export const failure: Step = {
  name: 'failed',
  run: async (shop, course) => {
    const { work, winner, leader } = course
    await setCode(shop.run, winner.wallet!, '0x60006000fd')
    try {
      await endUntil(shop, { work, leader: leader!, state: 'released' })
      await untilAuction(winner.client, work, ({ outcome }) => outcome === 'failed')
    } finally {
      await setCode(shop.run, winner.wallet!, '0x')
    }
  },
}

/** The auction of a work ends in so many seconds; under the row lock of the item. */
const setEnd = (folder: string, { _id }: Nft, seconds: number) =>
  withDatabase(folder, 'catalog', async (client) => {
    await client.query('begin')
    await client.query('select from item where id = $1 for update', [_id])
    const text = `update auction set ends_at = clock_timestamp() + $2::integer * interval '1 second'
       where item_id = $1 and state = 'open'`
    await client.query(text, [_id, seconds])
    await client.query('commit')
  })

async function setCode({ chainRpcUrl }: RunFile, address: string, code: string) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [address, code] })
  await fetch(chainRpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
}
