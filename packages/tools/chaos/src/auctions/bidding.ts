import type { Auction, Nft } from '@nifty/api/catalog/public'
import { type ApiClient, pay } from '@nifty/testkit/api-client'
import { startAuction, startBid } from '@nifty/testkit/auctions'
import { buyersOf } from '@nifty/testkit/purchase'
import type { RunFile } from '@nifty/testkit/run-file'
import { apiClientOf, createUser } from '@nifty/testkit/users'
import { waitUntil } from '@nifty/testkit/wait-until'
import { query } from '../campaign/databases.ts'
import type { Random } from '../campaign/random.ts'
import { logInOwner } from '../campaign/shop.ts'

/** `wallet`: null for an account without one, whose work goes into custody. */
export type Bidder = { client: ApiClient; username: string; wallet: string | null }

/** `raise`: the leader names more. `lower`: no more than the leader's maximum, which it raises the price to. */
export type Move = 'lead' | 'lower' | 'raise'

/**
 * A bid whose card was held. `limit`: the maximum, euros. `outcome`: `leading`, or why it ended at once. `stoodAt`:
 * when catalog let it stand, ms since 1970.
 */
export type Bid = NewBid & { orderId: string; outcome: string; stoodAt: number | null }
export type NewBid = { bidder: Bidder; move: Move; limit: number }

/** `second`: the highest maximum of a bidder who does not lead, euros. `bids`: all that were held, in sequence. */
export type Running = { work: Nft; id: string; opening: number; leader?: Bid; second?: number; bids: Bid[] }

type Shop = { run: RunFile; folder: string }

/** The demo collectors with their wallets, and new accounts without one. */
export async function biddersOf(run: RunFile, count: number): Promise<Bidder[]> {
  const bidders: Bidder[] = await buyersOf(run)
  while (bidders.length < count) {
    const user = await createUser(run)
    bidders.push({ client: apiClientOf(run, user), username: user.username, wallet: null })
  }
  return bidders
}

/** An auction of an hour, whose clock the first bid starts; `opening` in euros. */
export async function openAuction(run: RunFile, work: Nft, opening: number): Promise<Running> {
  const { _id: id } = await startAuction(await logInOwner(run, work), work, opening)
  return { work, id, opening, bids: [] }
}

/** One step above a price, in euros: 5 % in whole euros, at least one. */
export const stepAbove = (euros: number) => Math.max(1, Math.ceil(euros / 20))

/** A limit above ten times the price has to be confirmed. */
const MOST_TIMES = 5

/** A move that is possible now, and its limit in whole euros. */
export function chooseMove(random: Random, { leader, opening }: Running, { price, minimum }: Auction) {
  if (!leader) return { move: 'lead' as const, limit: opening + random.between(0, 10) }
  const wanted = random.unit()
  if (wanted < 0.15 && leader.limit < MOST_TIMES * price!)
    return { move: 'raise' as const, limit: leader.limit + random.between(1, 5) }
  const least = Math.ceil(minimum)
  if (wanted < 0.4 && least <= leader.limit)
    return { move: 'lower' as const, limit: random.between(least, leader.limit) }
  return { move: 'lead' as const, limit: Math.max(least, leader.limit + random.between(1, 10)) }
}

/** Makes a bid, pays for it, and waits until catalog has decided it. Returns what is wrong with its outcome. */
export async function bid(shop: Shop, auction: Running, wanted: NewBid): Promise<string[]> {
  const { leader } = auction
  const { move, limit } = wanted
  const made = await (await openPage(shop, auction, wanted)).pay()
  auction.bids.push(made)
  if (move === 'lower') auction.second = Math.max(auction.second ?? 0, limit)
  else auction.leader = made
  if (move === 'lead' && leader) auction.second = leader.limit
  const expected = move === 'lower' ? 'outbid' : 'leading'
  const wrong = made.outcome === expected ? [] : [`bid ${made.orderId} (${move}) is ${made.outcome}`]
  return [...wrong, ...(await wrongPrice(wanted.bidder.client, auction))]
}

/**
 * Two bids for which cards are held at one instant, both above the leader's maximum, and one a step above the other.
 * Returns what is wrong: the higher one leads, whichever is decided first.
 */
export async function bidAtOnce(shop: Shop, auction: Running, [low, high]: [NewBid, NewBid]): Promise<string[]> {
  const { leader } = auction
  const pages = [await openPage(shop, auction, low), await openPage(shop, auction, high)]
  const [first, higher] = (await Promise.all(pages.map((page) => page.pay()))) as [Bid, Bid]
  // Once more: it may have led until the higher one was decided.
  const lower = { ...first, outcome: (await untilDecided(shop.folder, first.orderId)).outcome }
  auction.bids.push(lower, higher)
  auction.second = lower.outcome === 'too_low' ? leader?.limit : lower.limit
  auction.leader = higher
  const outcomes = `${lower.outcome}, ${higher.outcome}`
  const wrong = /^(outbid|too_low), leading$/.test(outcomes) ? [] : [`bids at one instant are ${outcomes}`]
  return [...wrong, ...(await wrongPrice(high.bidder.client, auction))]
}

async function openPage({ run, folder }: Shop, { work }: Running, wanted: NewBid) {
  const { bidder, limit } = wanted
  const deliverTo = bidder.wallet ? 'wallet' : 'custody'
  const { orderId, url } = await startBid({ client: bidder.client, work, limit, deliverTo })
  return {
    pay: async (): Promise<Bid> => {
      await pay(run, url, run.cards.approved)
      const { outcome, stood_at } = await untilDecided(folder, orderId)
      return { ...wanted, orderId, outcome, stoodAt: stood_at?.getTime() ?? null }
    },
  }
}

type Decided = { outcome: string; stood_at: Date | null }

const untilDecided = (folder: string, orderId: string): Promise<Decided> =>
  waitUntil(async () => {
    const text = `select coalesce(why, state) as outcome, stood_at from bid where order_id = $1 and state <> 'started'`
    return (await query<Decided>(folder, 'catalog', text, [orderId]))[0]
  })

/** Of a price that is not between the second maximum and one step above it, or above that of the leader. */
async function wrongPrice(client: ApiClient, { work, opening, leader, second }: Running): Promise<string[]> {
  const { price } = (await client.item(work)).auction!
  const most = second === undefined ? opening : Math.min(leader!.limit, second + stepAbove(second))
  const least = second === undefined ? opening : second
  if (price !== null && price >= least && price <= most) return []
  return [`the price of ${work.name} is ${price} €, not ${least} to ${most} €`]
}
