import { publishEvents } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import type { Auction, Bid, Database, Item } from '../db.ts'
import { bidOutcomeEvent, type OfAuction, publishAuctionEnd, publishReopened } from './auction.events.ts'
import { findAuction, saveAuction } from './auction.store.ts'
import { type AuctionEnd, endAfterLoss } from './auction.ts'
import { findBid, findFormerBidders, findLivingBids, saveBids } from './bid.store.ts'

/** `wasHeld`: when absent, whether the bid led or had won. */
type BidEnd = { why: string; at: Date; wasHeld?: boolean }

/** Ends a bid. Needs the item's lock. */
export async function endBid(trx: Transaction<Database>, of: OfAuction, end: BidEnd): Promise<Bid> {
  const [bid] = await endBids(trx, [of], end)
  return bid!
}

async function endBids(trx: Transaction<Database>, bids: OfAuction[], { why, at, wasHeld }: BidEnd): Promise<Bid[]> {
  const ended = bids.map(({ bid }) => ({ ...bid, state: 'ended', why }) as const)
  await saveBids(trx, ended)
  await publishEvents(
    trx,
    bids.map((of) => bidOutcomeEvent(of, { outcome: 'lost', why, wasHeld: wasHeld ?? of.bid.state !== 'started', at })),
  )
  return ended
}

/**
 * Ends a bid that began or leads, for a reason outside the auction. Without its leader the auction is open again, at
 * its opening price. Returns the item, which the caller saves. Needs the item's lock.
 */
export async function withdrawFromAuction(trx: Transaction<Database>, of: OfAuction, end: BidEnd): Promise<Item> {
  const { item, auction, bid } = of
  if (bid.state !== 'leading') {
    await endBid(trx, of, end)
    return item
  }
  const open = { ...auction, leaderOrder: null, priceCents: null, endsAt: endAfterLoss(auction, end.at) }
  await saveAuction(trx, open)
  await endBid(trx, { item, auction: open, bid: { ...bid, withdrawn: true } }, end)
  const formerBidders = await findFormerBidders(trx, auction.id, bid.bidderId)
  await publishReopened(trx, { item, auction: open }, formerBidders, end.at)
  return { ...item, priceCents: auction.openingCents }
}

/**
 * Ends the bids of one account in the auction of the item, without those in the state `but`. Returns the item, which
 * the caller saves.
 */
export async function endBidsOfBuyer(
  trx: Transaction<Database>,
  item: Item,
  { buyerId, but, ...end }: { buyerId: string; but?: 'leading'; why: 'account'; at: Date },
): Promise<Item> {
  if (item.auctionId === null) return item
  let after = item
  for (const bid of await findLivingBids(trx, item.auctionId, buyerId)) {
    if (bid.state === but) continue
    const auction = (await findAuction(trx, item.auctionId))!
    after = await withdrawFromAuction(trx, { item: after, auction, bid }, end)
  }
  return after
}

type Ending = { outcome: 'unsold' | 'cancelled'; at: Date } | { outcome: 'void'; why: AuctionEnd; at: Date }

/** Ends an auction that is not decided, and all its bids. The caller takes the item off it. Needs the item's lock. */
export async function endAuction(trx: Transaction<Database>, item: Item, auction: Auction, end: Ending) {
  const { outcome, at } = end
  const why = end.outcome === 'void' ? end.why : null
  await endLivingBids(
    trx,
    { item, auction: { ...auction, why } },
    { why: outcome === 'unsold' ? 'too_late' : outcome, at },
  )
  const ended = { ...auction, state: outcome, why, leaderOrder: null, priceCents: null, endedAt: at }
  await saveAuction(trx, ended)
  await publishAuctionEnd(trx, item, ended, { outcome, at })
}

/** Ends the bids that began or lead, other than the winner's. */
export async function endLivingBids(
  trx: Transaction<Database>,
  { item, auction }: Omit<OfAuction, 'bid'>,
  end: BidEnd,
) {
  const living = await findLivingBids(trx, auction.id)
  await endBids(
    trx,
    living.map((bid) => ({ item, auction, bid })),
    end,
  )
}

/** The work of a won bid has arrived. Nothing happens for any other order. Needs the item's lock. */
export async function closeWonAuction(trx: Transaction<Database>, orderId: string, at: Date) {
  const bid = await findBid(trx, orderId)
  if (bid?.state !== 'won') return
  const auction = (await findAuction(trx, bid.auctionId))!
  await saveAuction(trx, { ...auction, state: 'sold', endedAt: at })
}

/** The delivery to the winner failed, or its hold was lost. Needs the item's lock. */
export async function failAuction(
  trx: Transaction<Database>,
  { item, auction }: Omit<OfAuction, 'bid'>,
  { why, at }: { why: string; at: Date },
) {
  const failed = { ...auction, state: 'failed', why, endedAt: at } as const
  await saveAuction(trx, failed)
  await publishAuctionEnd(trx, item, failed, { outcome: 'failed', at })
}
