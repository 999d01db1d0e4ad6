import { auctionBidReceived, auctionEnded, auctionNews, bidEnded, bidLeads } from '@nifty/events/catalog'
import { MAX_NEWS_ACCOUNTS } from '@nifty/events/shapes'
import { type OutboxEvent, outboxEvent, publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import type { Auction, Bid, Database, Item } from '../db.ts'

/** What the events about an auction or an offer have of its work. */
export function publishedWork({ id: itemId, contract, identifier, name, image }: Item) {
  return { itemId, contract, identifier, name, image }
}

/** A bid with its auction and its work, under the row lock of the item. */
export type OfAuction = { item: Item; auction: Auction; bid: Bid }

/** Of an offer or a bid. */
export type Outcome = { outcome: 'won' } | { outcome: 'lost'; why: string }

/** A bid has won, or has ended. Once per outcome. `auction`: as it is now. */
export function bidOutcomeEvent(
  { item, auction, bid }: OfAuction,
  { at, ...end }: Outcome & { wasHeld: boolean; at: Date },
): OutboxEvent {
  const { orderId, bidderId: buyerId, limitCents } = bid
  const { id: auctionId, sellerId: ownerId, priceCents, endsAt, why } = auction
  return outboxEvent(bidEnded, {
    orderId,
    ...publishedWork(item),
    priceCents: limitCents,
    kind: 'bid',
    buyerId,
    ownerId,
    auction: { auctionId, priceCents, endsAt: endsAt?.toISOString() ?? null, ...(why !== null && { why }) },
    ...end,
    at: at.toISOString(),
  })
}

/** A bid leads its auction, whose clock runs. */
export function bidLeadsEvent({ item, auction, bid }: OfAuction, at: Date): OutboxEvent {
  const { orderId, bidderId: buyerId } = bid
  const { id: auctionId, sellerId: ownerId, latestEndAt } = auction
  return outboxEvent(bidLeads, {
    orderId,
    auctionId,
    name: item.name,
    buyerId,
    ownerId,
    latestEndAt: latestEndAt!.toISOString(),
    at: at.toISOString(),
  })
}

/** The first bid of an auction stands. `auction`: as it is after it. */
export function firstBidEvent({ item, auction }: Omit<OfAuction, 'bid'>, at: Date): OutboxEvent {
  const { id: auctionId, sellerId, priceCents, endsAt } = auction
  return outboxEvent(auctionBidReceived, {
    auctionId,
    ...publishedWork(item),
    sellerId,
    priceCents: priceCents!,
    endsAt: endsAt!.toISOString(),
    at: at.toISOString(),
  })
}

/** Publishes to the accounts, in portions, that the auction has lost its leader and is open again. */
export async function publishReopened(
  trx: Transaction<Database>,
  { item, auction }: Omit<OfAuction, 'bid'>,
  userIds: string[],
  at: Date,
) {
  for (let from = 0; from < userIds.length; from += MAX_NEWS_ACCOUNTS)
    await publishEvent(trx, auctionNews, {
      auctionId: auction.id,
      ...publishedWork(item),
      artist: null,
      what: 'reopened',
      priceCents: auction.openingCents,
      endsAt: auction.endsAt?.toISOString() ?? null,
      userIds: userIds.slice(from, from + MAX_NEWS_ACCOUNTS),
      at: at.toISOString(),
    })
}

/** Publishes the outcome of an auction that is decided, or ended otherwise. */
export async function publishAuctionEnd(
  trx: Transaction<Database>,
  item: Item,
  { id: auctionId, sellerId, why, priceCents, bids }: Auction,
  { outcome, at }: { outcome: 'awarded' | 'unsold' | 'cancelled' | 'void' | 'failed'; at: Date },
) {
  await publishEvent(trx, auctionEnded, {
    auctionId,
    ...publishedWork(item),
    sellerId,
    outcome,
    ...(why !== null && { why }),
    priceCents,
    bids,
    at: at.toISOString(),
  })
}
