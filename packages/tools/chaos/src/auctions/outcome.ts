import { orderNumber } from '@nifty/api/order-number'
import type { openChain } from '@nifty/testkit/chain'
import { type DatedEntry, datedLedger, heldFor, moneyOf } from '@nifty/testkit/dated-ledger'
import type { RunFile } from '@nifty/testkit/run-file'
import { waitUntil } from '@nifty/testkit/wait-until'
import { endAuction } from '../campaign/auctions.ts'
import type { Bid, Running } from './bidding.ts'

type Shop = { run: RunFile; folder: string; chain: ReturnType<typeof openChain> }
type Mail = { subject: string; text: string }

/** An auction waits three minutes for a bid whose page is open. */
const COMPLETED_WITHIN = { timeoutMs: 420_000, intervalMs: 500 }

/**
 * An hour passes: the auction ends, and its work is delivered. Returns what processor, chain, market and mails lack.
 */
export async function endAndCompare(shop: Shop, auction: Running): Promise<string[]> {
  const { work, leader } = auction
  const { price } = (await leader!.bidder.client.item(work)).auction!
  await endAuction(shop.folder, { itemId: work._id, leaderOrder: leader!.orderId })
  await waitUntil(
    async () => (await leader!.bidder.client.order(leader!.orderId)).state === 'completed',
    COMPLETED_WITHIN,
  )
  return [...(await compareSold(shop, auction, price!)), ...(await compareMails(shop.run, auction))]
}

function differences(work: Running['work']) {
  const found: string[] = []
  return {
    found,
    expect: (what: string, seen: unknown, wanted: unknown) => {
      if (JSON.stringify(seen) !== JSON.stringify(wanted))
        found.push(`${what}, ${work.name}: ${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`)
    },
  }
}

/**
 * Returns where processor, chain, market and order do not have the price, in euros, for the leader, and nothing for
 * anybody else.
 */
export async function compareSold(shop: Shop, auction: Running, price: number): Promise<string[]> {
  const { work, leader } = auction
  const { client, username, wallet } = leader!.bidder
  const { found, expect } = differences(work)
  const { limit, total, captured } = await client.order(leader!.orderId)
  expect('order', { limit, total, captured }, { limit: leader!.limit, total: price, captured: price })
  const entries = await untilAllReleased(shop, auction)
  for (const bid of auction.bids)
    expect(`ledger of ${bid.orderId}`, moneyOf(entries, bid.orderId), due(auction, bid, price))
  expect('chain', await shop.chain.ownerOf(work), wallet ?? shop.run.contracts.delivery)
  const owned = { owner: username, outcome: 'sold', price }
  let market: unknown
  await waitUntil(async () => {
    const { ownerUsername: owner, auction: last } = await client.item(work)
    market = { owner, outcome: last?.outcome, price: last?.price }
    return JSON.stringify(market) === JSON.stringify(owned)
  }).catch(() => expect('market', market, owned))
  return found
}

/** Violations after a failed delivery: a charge, another owner, or an item that is still reserved. */
export async function compareFailed(shop: Shop, auction: Running, holder: string): Promise<string[]> {
  const { work, leader } = auction
  const { found, expect } = differences(work)
  const { captured } = await leader!.bidder.client.order(leader!.orderId)
  expect('order', captured, 0)
  const entries = await untilAllReleased(shop, auction)
  for (const { orderId, limit } of auction.bids)
    expect(`ledger of ${orderId}`, moneyOf(entries, orderId), [`held ${cents(limit)}`, `released ${cents(limit)}`])
  expect('chain', await shop.chain.ownerOf(work), holder)
  const { forSale, reserved, auction: last } = await leader!.bidder.client.item(work)
  const free = { forSale: false, reserved: false, outcome: 'failed' }
  expect('market', { forSale, reserved, outcome: last?.outcome }, free)
  return found
}

/** Returns which bidders of a sold work have not the mails about their orders. A mail may be sent twice. */
export async function compareMails(run: RunFile, auction: Running, { timeoutMs = 60_000 } = {}): Promise<string[]> {
  const { found, expect } = differences(auction.work)
  for (const bid of auction.bids) {
    const wanted = mailsDue(auction, bid)
    let mails: string[] = []
    await waitUntil(
      async () => {
        mails = await mailsAbout(run, bid.orderId)
        return [...new Set(mails)].join() === wanted.join()
      },
      { timeoutMs, intervalMs: 1_000 },
    ).catch(() => expect(`mails about ${bid.orderId} (${bid.move})`, mails, wanted))
  }
  return found
}

const cents = (euros: number) => Math.round(euros * 100)

/** A hold above the price is given back in part with the capture. */
function due({ leader }: Running, bid: Bid, price: number): string[] {
  const limit = cents(bid.limit)
  if (bid !== leader) return [`held ${limit}`, `released ${limit}`]
  const rest = limit - cents(price)
  return [`held ${limit}`, `captured ${cents(price)}`, ...(rest > 0 ? [`released ${rest}`] : [])]
}

/** Waits until no money is held for a bid of the auction. */
const untilAllReleased = ({ folder }: Shop, { bids }: Running): Promise<DatedEntry[]> =>
  waitUntil(async () => {
    const entries = await datedLedger(folder)
    return bids.every(({ orderId }) => heldFor(entries, orderId) === 0) && entries
  })

/** About a raised bid there is none. */
function mailsDue({ leader, bids }: Running, bid: Bid): string[] {
  if (bid === leader) return ['arrived', 'won']
  if (bid.outcome === 'too_low') return ['ended']
  const next = bids.slice(bids.indexOf(bid) + 1).find(({ move }) => move !== 'lower')
  return bid.move !== 'lower' && next?.move === 'raise' ? [] : ['outbid']
}

const subjects: [RegExp, string][] = [
  [/^You were outbid for /, 'outbid'],
  [/^You won the auction of /, 'won'],
  [/has arrived$/, 'arrived'],
  [/^Your bid |^Your bank ended |^Nothing was charged /, 'ended'],
]

/** The kinds of the mails to the bidder that name an order, sorted. */
async function mailsAbout({ mailboxUrl }: RunFile, orderId: string): Promise<string[]> {
  const mails = (await (await fetch(`${mailboxUrl}/api/email`)).json()) as Mail[]
  return mails
    .filter(({ text }) => text.includes(orderNumber(orderId)))
    .flatMap(({ subject }) => subjects.find(([pattern]) => pattern.test(subject))?.[1] ?? [])
    .sort()
}
