import type { Transaction } from 'kysely'
import { findTimedAuction, saveAuction, type TimedAuction } from '../auctions/auction.store.ts'
import { endAfterOutage } from '../auctions/auction.ts'
import { findBid } from '../auctions/bid.store.ts'
import type { Auction, Bid, Database, Item } from '../db.ts'
import { lockItemOfAuction } from '../items/item.store.ts'

/** An auction under the row lock of its item, and the database's time after the lock. */
export type LockedAuction = { item: Item; auction: Auction; now: Date }

/** Locks the item of an auction; undefined when there is no such auction. */
export async function lockAuction(trx: Transaction<Database>, id: string): Promise<LockedAuction | undefined> {
  const item = await lockItemOfAuction(trx, id)
  return item && lockedAuction(trx, item, id)
}

/**
 * The auction of an item that the caller has locked. An end that an outage has hit is moved, before the worker does.
 */
export async function lockedAuction(trx: Transaction<Database>, item: Item, id: string): Promise<LockedAuction> {
  const timed = await findTimedAuction(trx, id)
  const auction = movedByOutage(timed)
  if (auction !== timed.auction) await saveAuction(trx, auction)
  return { item, auction, now: timed.now }
}

/** The auction with the end that the worker will store, if an outage has hit it; else the same object. */
export function movedByOutage({ auction, ...times }: TimedAuction): Auction {
  if (auction.state !== 'open') return auction
  const endsAt = endAfterOutage(auction, times)
  return endsAt?.getTime() === auction.endsAt?.getTime() ? auction : { ...auction, endsAt }
}

export type LockedBid = LockedAuction & { bid: Bid }

/** Locks the item of a bid; undefined when there is no such bid. */
export async function lockBid(trx: Transaction<Database>, orderId: string): Promise<LockedBid | undefined> {
  const found = await findBid(trx, orderId)
  const locked = found && (await lockAuction(trx, found.auctionId))
  return locked && { ...locked, bid: (await findBid(trx, orderId))! }
}
