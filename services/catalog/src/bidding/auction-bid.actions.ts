import type { BidState, NewBid } from '@nifty/api/catalog/bids'
import type { ReservedLine } from '@nifty/api/catalog/internal'
import { toEuros } from '@nifty/api/shapes'
import type { BatchCall } from '@nifty/service-kit/base/batches'
import { conflict, invalid } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import { publishEvents } from '@nifty/service-kit/messaging/outbox'
import type { Kysely, Transaction } from 'kysely'
import { lockAccountsShared } from '../accounts/account.store.ts'
import { maySell } from '../accounts/account.ts'
import { endBid, failAuction, withdrawFromAuction } from '../auctions/auction.actions.ts'
import { findAuction, findTimedAuction, saveStanding } from '../auctions/auction.store.ts'
import { bidStateOf, deliverableUntil, isRunning, standingOf } from '../auctions/auction.ts'
import { addBid, findBid, findBidsToDecide, findLeader, saveBids } from '../auctions/bid.store.ts'
import { isUnusualLimit, minimumFor, type Standing } from '../auctions/price-rule.ts'
import type { Bid, Database, Item } from '../db.ts'
import { requireUncontested } from '../items/contested-line.store.ts'
import { requireDeliverableTo } from '../items/deliverability.actions.ts'
import { findItem, lockItem, saveItem } from '../items/item.store.ts'
import { itemNotFound, requireForeign, type Seller } from '../items/item.ts'
import { findAccountsOf, lineOf, orderDiffers, orderOver, requireUnreleased } from '../items/reservation.actions.ts'
import { lockReservation } from '../items/reservation.store.ts'
import { findOffer } from '../offers/offer.store.ts'
import { type Decisions, decideBid, type Hold, newDecisions } from './auction-bid.ts'
import {
  type LockedAuction,
  type LockedBid,
  lockAuction,
  lockBid,
  lockedAuction,
  movedByOutage,
} from './auction-lock.ts'

export type Begun = { line: ReservedLine }

const auctionClosed = () => conflict('auction_closed', 'This auction takes no bids now')

type OnAuction = Item & { auctionId: string }

/** Throws 403 `own_item`, 404 `item_not_found`, 409 `auction_closed`. */
function requireOnAuction(item: Item | undefined, seller: Seller, bid: NewBid): OnAuction {
  if (!item || item.hiddenAt !== null) throw itemNotFound()
  requireForeign(item, seller, bid)
  if (item.auctionId === null || !maySell(seller)) throw auctionClosed()
  return { ...item, auctionId: item.auctionId }
}

/** Throws 409 `too_low` with the minimum in euros, `unusual_amount` unless the bidder is sure. */
function requireEnough(standing: Standing, { buyerId, limitCents, sure }: NewBid) {
  const minimumCents = minimumFor(standing, buyerId)
  if (limitCents < minimumCents)
    throw conflict('too_low', 'This bid is below the least one', { details: { minimum: toEuros(minimumCents) } })
  if (!sure && isUnusualLimit(limitCents, standing))
    throw conflict('unusual_amount', 'This bid is more than ten times the price. Please confirm it.')
}

/**
 * Stores a bid whose payment page opens next. Idempotent by order id. Deliverability is checked before any lock, for as
 * long as the auction can last.
 */
export async function beginAuctionBid(
  { db, minting }: { db: Kysely<Database>; minting: ServiceClient },
  bid: NewBid,
): Promise<Begun> {
  if (bid.days !== null) throw invalid('invalid_days', 'A bid has no days')
  if (!(await findBid(db, bid.orderId))) {
    const found = await findItem(db, bid.itemId)
    const accounts = await findAccountsOf(db, found ? [found] : [])
    const item = requireOnAuction(found, accounts.get(found?.ownerId ?? ''), bid)
    const timed = await findTimedAuction(db, item.auctionId)
    const { now } = timed
    const auction = movedByOutage(timed)
    if (!isRunning(auction, now)) throw auctionClosed()
    requireEnough(standingOf(auction, await findLeader(db, auction)), bid)
    await requireUncontested(db, item)
    await requireDeliverableTo({ db, minting }, [item], { to: bid.buyerWallet, until: deliverableUntil(auction, now) })
  }
  return inTransaction(db, (trx) => beginLocked(trx, bid))
}

/** The part under locks: first the order's reservation, which has refused a released order, then the item. */
async function beginLocked(trx: Transaction<Database>, bid: NewBid): Promise<Begun> {
  const { orderId, itemId, buyerId: bidderId, buyerWallet: wallet, limitCents } = bid
  const stored = await lockReservation(trx, orderId)
  requireUnreleased(stored)
  if (stored.lines || (await findOffer(trx, orderId))) throw orderDiffers()
  const locked = await lockItem(trx, itemId)
  const accounts = await findAccountsOf(trx, locked ? [locked] : [])
  const begun = await findBid(trx, orderId)
  if (begun) {
    if (!(await isSame(trx, begun, bid))) throw orderDiffers()
    if (begun.state === 'ended') throw orderOver()
    return { line: lineOf(locked!, accounts, limitCents) }
  }
  const item = requireOnAuction(locked, accounts.get(locked?.ownerId ?? ''), bid)
  const { auction, now } = await lockedAuction(trx, item, item.auctionId)
  if (!isRunning(auction, now)) throw auctionClosed()
  requireEnough(standingOf(auction, await findLeader(trx, auction)), bid)
  await requireUncontested(trx, item)
  await addBid(trx, { orderId, auctionId: auction.id, bidderId, wallet, limitCents })
  return { line: lineOf(item, accounts, limitCents) }
}

async function isSame(trx: Transaction<Database>, stored: Bid, bid: NewBid) {
  const auction = await findAuction(trx, stored.auctionId)
  return (
    auction?.itemId === bid.itemId &&
    stored.bidderId === bid.buyerId &&
    stored.wallet === bid.buyerWallet &&
    stored.limitCents === bid.limitCents
  )
}

/** A bid as it was found before any lock, whose card is held. */
export type HeldBid = { found: Bid; hold: Hold }

/**
 * The cards of bids of one auction are held: in this order each leads, raises the price, or ends. Idempotent.
 * Undefined: there is no such bid.
 */
export async function placeAuctionBids(
  trx: Transaction<Database>,
  auctionId: string,
  calls: BatchCall<HeldBid>[],
): Promise<(BidState | undefined)[]> {
  const found = calls.map(({ input }) => input.found)
  const started = found.filter(({ state }) => state === 'started')
  const bidders = await lockAccountsShared(
    trx,
    started.map(({ bidderId }) => bidderId),
  )
  const locked = await lockAuction(trx, auctionId)
  if (!locked) return calls.map(() => undefined)
  const orderIds = found.map(({ orderId }) => orderId)
  const decisions = newDecisions(locked, await findBidsToDecide(trx, auctionId, orderIds))
  const states = calls.map(({ input: { found, hold }, inContext }) =>
    inContext(() => decideBid(decisions, { orderId: found.orderId, hold, bidder: bidders.get(found.bidderId) })),
  )
  await saveDecisions(trx, locked, decisions)
  return states
}

async function saveDecisions(trx: Transaction<Database>, before: LockedAuction, after: Decisions) {
  if (after.auction !== before.auction) await saveStanding(trx, after.auction)
  await saveBids(
    trx,
    [...after.changed].map((orderId) => after.bids.get(orderId)!),
  )
  await publishEvents(trx, after.leads ? [...after.events, after.leads] : after.events)
}

/** Ends a bid as its bidder requests, unless it stands: then it is binding. Idempotent. Undefined: no such bid. */
export async function withdrawAuctionBid(trx: Transaction<Database>, orderId: string): Promise<BidState | undefined> {
  const locked = await lockBid(trx, orderId)
  if (!locked) return undefined
  const { auction, bid, now } = locked
  if (bid.state !== 'started') return bidStateOf(bid, auction)
  return bidStateOf(await endBid(trx, locked, { why: 'withdrawn', at: now }), auction)
}

/** Ends a bid whose card was not held within an hour, unless it was held or ended meanwhile. */
export async function endUnheldBid(trx: Transaction<Database>, orderId: string) {
  const locked = await lockBid(trx, orderId)
  if (locked?.bid.state === 'started') await endBid(trx, locked, { why: 'not_held', at: locked.now })
}

/**
 * Payments has ended a bid that began or leads. The caller has locked the item. Without its leader the auction is open
 * again.
 */
export async function releaseLivingBid(trx: Transaction<Database>, item: Item, bid: Bid, why: string) {
  const { auction, now } = await lockedAuction(trx, item, bid.auctionId)
  const end = { why, at: now, wasHeld: bid.state !== 'started' || why === 'hold_lost' }
  await saveItem(trx, await withdrawFromAuction(trx, { item, auction, bid }, end))
}

/** The order of a bid that has won is over: its auction has failed. The caller has locked the item, and freed it. */
export async function releaseWonBid(trx: Transaction<Database>, item: Item, bid: Bid, why: string): Promise<LockedBid> {
  const locked = await lockedAuction(trx, item, bid.auctionId)
  await saveBids(trx, [{ ...bid, state: 'ended', why: 'failed' }])
  await failAuction(trx, locked, { why, at: locked.now })
  return { ...locked, bid }
}
