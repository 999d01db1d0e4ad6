import type { BidState, NewBid } from '@nifty/api/catalog/bids'
import type { OfferDays } from '@nifty/api/offer-days'
import { toEuros } from '@nifty/api/shapes'
import type { bidReleased, orderLineAbandoned, orderLineReleased } from '@nifty/events/payments'
import { createBatches } from '@nifty/service-kit/base/batches'
import { conflict, invalid, notFound } from '@nifty/service-kit/base/errors'
import { isTransientDatabaseError } from '@nifty/service-kit/database/database'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import { publishEvents } from '@nifty/service-kit/messaging/outbox'
import type { Kysely, Transaction } from 'kysely'
import type { Static } from 'typebox'
import { lockAccountShared } from '../accounts/account.store.ts'
import { isBlocked, maySell } from '../accounts/account.ts'
import { bidOutcomeEvent } from '../auctions/auction.events.ts'
import { findBid, findBids } from '../auctions/bid.store.ts'
import type { Bid, Database, Item, Offer } from '../db.ts'
import { requireUncontested } from '../items/contested-line.store.ts'
import { requireDeliverableOncePermitted } from '../items/deliverability.actions.ts'
import { findItem, lockItem } from '../items/item.store.ts'
import { itemNotFound, requireForeign, requireNotOnAuction, type Seller } from '../items/item.ts'
import { databaseNow } from '../items/listing.actions.ts'
import {
  findAccountsOf,
  freeItem,
  lineOf,
  lockReleased,
  orderDiffers,
  orderOver,
  requireUnreleased,
} from '../items/reservation.actions.ts'
import { lockReservation } from '../items/reservation.store.ts'
import { closeAcceptedOffer, endOffer } from '../offers/offer.actions.ts'
import { publishOfferReceived } from '../offers/offer.events.ts'
import { addOffer, findOffer, hasLivingOffer, saveOffer } from '../offers/offer.store.ts'
import { bidStateOf, endOf, isHoldTooShort } from '../offers/offer.ts'
import {
  type Begun,
  beginAuctionBid,
  type HeldBid,
  placeAuctionBids,
  releaseLivingBid,
  releaseWonBid,
  withdrawAuctionBid,
} from './auction-bid.actions.ts'
import type { Hold } from './auction-bid.ts'

/**
 * Throws 403 `own_item`, 404 `item_not_found`, 409 `on_auction`, `no_offers`, or `too_low` with the minimum in euros.
 */
function requireOfferable(item: Item | undefined, seller: Seller, { buyerId, buyerWallet, limitCents }: NewBid): Item {
  if (!item || item.hiddenAt !== null) throw itemNotFound()
  requireForeign(item, seller, { buyerId, buyerWallet })
  requireNotOnAuction(item)
  const { offerMinimumCents } = item
  if (offerMinimumCents === null || item.ownerId === null || !maySell(seller))
    throw conflict('no_offers', 'The owner of this work takes no offers')
  if (limitCents < offerMinimumCents)
    throw conflict('too_low', 'The owner of this work takes higher offers only', {
      details: { minimum: toEuros(offerMinimumCents) },
    })
  return item
}

type Sources = { db: Kysely<Database>; minting: ServiceClient }

/** Stores an offer or a bid whose payment page opens next; it reserves nothing. Idempotent by order id. */
export function beginBid(sources: Sources, request: NewBid): Promise<Begun> {
  const bid = { ...request, buyerWallet: request.buyerWallet?.toLowerCase() ?? null }
  return bid.kind === 'bid' ? beginAuctionBid(sources, bid) : beginOffer(sources, bid)
}

/** Deliverability is checked before any lock; a permit can still be signed when the owner accepts. */
async function beginOffer({ db, minting }: Sources, bid: NewBid): Promise<Begun> {
  if (!(await findOffer(db, bid.orderId))) {
    const found = await findItem(db, bid.itemId)
    const accounts = await findAccountsOf(db, found ? [found] : [])
    const item = requireOfferable(found, accounts.get(found?.ownerId ?? ''), bid)
    await requireUncontested(db, item)
    await requireDeliverableOncePermitted(minting, item, { to: bid.buyerWallet })
  }
  return inTransaction(db, (trx) => beginLocked(trx, bid))
}

/** The part under locks: first the order's reservation, which has refused a released order, then the item. */
async function beginLocked(trx: Transaction<Database>, bid: NewBid): Promise<Begun> {
  const { orderId, itemId, buyerId, buyerWallet: wallet, limitCents: priceCents } = bid
  const days = daysOf(bid)
  const stored = await lockReservation(trx, orderId)
  requireUnreleased(stored)
  if (stored.lines || (await findBid(trx, orderId))) throw orderDiffers()
  const locked = await lockItem(trx, itemId)
  const accounts = await findAccountsOf(trx, locked ? [locked] : [])
  const begun = await findOffer(trx, orderId)
  if (begun) {
    if (!isSame(begun, bid)) throw orderDiffers()
    if (begun.state === 'ended') throw orderOver()
    return { line: lineOf(locked!, accounts, priceCents) }
  }
  const item = requireOfferable(locked, accounts.get(locked?.ownerId ?? ''), bid)
  await requireUncontested(trx, item)
  if (await hasLivingOffer(trx, { itemId, buyerId }))
    throw conflict('offer_exists', 'You have an offer for this work already')
  await addOffer(trx, { orderId, itemId, ownerId: item.ownerId!, buyerId, wallet, priceCents, days })
  return { line: lineOf(item, accounts, priceCents) }
}

/** Throws 400 `invalid_days` for an offer without days. */
function daysOf({ days }: NewBid): OfferDays {
  if (days === null) throw invalid('invalid_days', 'An offer has days')
  return days
}

const isSame = (offer: Offer, { itemId, buyerId, buyerWallet, limitCents, days }: NewBid) =>
  offer.itemId === itemId &&
  offer.buyerId === buyerId &&
  offer.wallet === buyerWallet &&
  offer.priceCents === limitCents &&
  offer.days === days

/** An offer under the row lock of its item. */
export type LockedOffer = { item: Item; offer: Offer; now: Date }

/** Locks the item of an offer; undefined when there is no such offer. `now` is the database's time after the lock. */
export async function lockOffer(trx: Transaction<Database>, orderId: string): Promise<LockedOffer | undefined> {
  const found = await findOffer(trx, orderId)
  const item = found && (await lockItem(trx, found.itemId))
  const offer = item && (await findOffer(trx, orderId))
  return offer && { item, offer, now: await databaseNow(trx) }
}

const bidNotFound = () => notFound('bid_not_found', 'There is no such offer or bid')

/** Bids that are read, or of one auction decided, together at most, and those that wait for it. */
const BATCH = { maxSize: 32, maxWaiting: 256, failsAll: isTransientDatabaseError }

/**
 * Returns what is done when the card of an offer or a bid is held: it is open, or ends. Idempotent. Bids of one auction
 * that arrive at the same time are decided in one transaction. Throws 404 `bid_not_found`, 503 `busy`.
 */
export function createBidPlacement(db: Kysely<Database>): (orderId: string, hold: Hold) => Promise<BidState> {
  // In batches as well, so that reading them keeps the order of their arrival.
  const find = createBatches<string, Bid | undefined>({
    ...BATCH,
    run: async (_key, calls) => {
      const orderIds = calls.map(({ input }) => input)
      const bids = await findBids(db, orderIds)
      return orderIds.map((id) => bids.find(({ orderId }) => orderId === id))
    },
  })
  const placeInAuction = createBatches<HeldBid, BidState | undefined>({
    ...BATCH,
    run: (auctionId, calls) => inTransaction(db, (trx) => placeAuctionBids(trx, auctionId, calls)),
  })
  return async (id, hold) => {
    const orderId = id.toLowerCase()
    const found = await find('', orderId)
    const state = found
      ? await placeInAuction(found.auctionId, { found, hold })
      : await inTransaction(db, (trx) => placeOffer(trx, orderId, hold))
    if (!state) throw bidNotFound()
    return state
  }
}

/**
 * The owner can accept it from now on, if the hold lasts long enough and its buyer is not blocked. Undefined: there is
 * no such offer.
 */
async function placeOffer(
  trx: Transaction<Database>,
  orderId: string,
  { captureBefore }: Hold,
): Promise<BidState | undefined> {
  const found = await findOffer(trx, orderId)
  if (!found) return undefined
  const buyer = found.state === 'started' ? await lockAccountShared(trx, found.buyerId) : undefined
  const locked = await lockOffer(trx, orderId)
  if (!locked) return undefined
  const { item, offer, now } = locked
  if (offer.state !== 'started') return bidStateOf(offer)
  const endsAt = endOf(offer.days, now)
  if (buyer && isBlocked(buyer))
    return bidStateOf(await endOffer(trx, item, { ...offer, endsAt }, { why: 'account', at: now }))
  if (isHoldTooShort(captureBefore, endsAt))
    return bidStateOf(await endOffer(trx, item, offer, { why: 'hold_too_short', at: now }))
  const open = { ...offer, state: 'open', endsAt } as const
  await saveOffer(trx, open)
  await publishOfferReceived(trx, item, offer, { endsAt, at: now })
  return bidStateOf(open)
}

/**
 * Ends an offer or a bid as its buyer requests, unless it was accepted or stands. Idempotent. Throws 404
 * `bid_not_found`.
 */
export async function withdrawBid(trx: Transaction<Database>, orderId: string): Promise<BidState> {
  const state = (await withdrawOffer(trx, orderId)) ?? (await withdrawAuctionBid(trx, orderId))
  if (!state) throw bidNotFound()
  return state
}

async function withdrawOffer(trx: Transaction<Database>, orderId: string): Promise<BidState | undefined> {
  const locked = await lockOffer(trx, orderId)
  if (!locked) return undefined
  const { item, offer, now } = locked
  if (offer.state === 'accepted' || offer.state === 'ended') return bidStateOf(offer)
  return bidStateOf(await endOffer(trx, item, offer, { why: 'withdrawn', at: now }))
}

/**
 * Payments has ended an offer or a bid. One that was accepted or has won meanwhile fails: the item is free again. A
 * later request of this order is refused.
 */
export async function releaseBid(trx: Transaction<Database>, released: Static<typeof bidReleased.data>) {
  const { orderId, why } = released
  const item = await lockReleased(trx, released)
  if (!item) return
  const offer = await findOffer(trx, orderId)
  if (offer && offer.state !== 'ended') {
    await freeItem(trx, item, released)
    await endOffer(trx, item, offer, { why, at: await databaseNow(trx) })
  }
  const bid = await findBid(trx, orderId)
  if (!bid || bid.state === 'ended') return
  if (bid.state !== 'won') return releaseLivingBid(trx, item, bid, why)
  await freeItem(trx, item, released)
  const failed = await releaseWonBid(trx, item, bid, why)
  await publishEvents(trx, [bidOutcomeEvent(failed, { outcome: 'lost', why, wasHeld: true, at: failed.now })])
}

type ReleasedLine = Static<typeof orderLineAbandoned.data> & Partial<Static<typeof orderLineReleased.data>>

/**
 * Frees the item of a line that was not charged, and ends the offer or the bid of its order. The order can reserve
 * nothing afterwards.
 */
export async function releaseOrder(trx: Transaction<Database>, released: ReleasedLine) {
  const item = await lockReleased(trx, released)
  if (!item) return
  await freeItem(trx, item, released)
  if (await closeAcceptedOffer(trx, released.orderId, { why: 'failed', at: await databaseNow(trx) })) return
  const offer = await findOffer(trx, released.orderId)
  if (offer && offer.state !== 'ended')
    await endOffer(trx, item, offer, { why: 'not_held', at: await databaseNow(trx) })
  const bid = await findBid(trx, released.orderId)
  if (!bid || bid.state === 'ended') return
  if (bid.state === 'won') await releaseWonBid(trx, item, bid, released.reason ?? 'cancelled')
  else await releaseLivingBid(trx, item, bid, 'not_held')
}
