import type { BidState, NewBid } from '@nifty/api/catalog/bids'
import type { ReservedLine } from '@nifty/api/catalog/internal'
import { toEuros } from '@nifty/api/shapes'
import { offerReceived } from '@nifty/events/catalog'
import type { bidReleased, orderLineReleased } from '@nifty/events/payments'
import { conflict, notFound } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Kysely, Transaction } from 'kysely'
import type { Static } from 'typebox'
import { maySell } from '../accounts/account.ts'
import type { Database, Item, Offer } from '../db.ts'
import { requireUncontested } from '../items/contested-line.store.ts'
import { requireDeliverableOncePermitted } from '../items/deliverability.actions.ts'
import { findItem, lockItem } from '../items/item.store.ts'
import { itemNotFound, requireForeign, type Seller } from '../items/item.ts'
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
import { closeAcceptedOffer, endOffer, publishedOffer } from '../offers/offer.actions.ts'
import { addOffer, findOffer, hasLivingOffer, saveOffer } from '../offers/offer.store.ts'
import { bidStateOf, endOf, isHoldTooShort } from '../offers/offer.ts'

type Begun = { line: ReservedLine }

/** Throws 403 `own_item`, 404 `item_not_found`, 409 `no_offers`, or `too_low` with the minimum in euros. */
function requireOfferable(item: Item | undefined, seller: Seller, { buyerId, buyerWallet, limitCents }: NewBid): Item {
  if (!item || item.hiddenAt !== null) throw itemNotFound()
  requireForeign(item, seller, { buyerId, buyerWallet })
  const { offerMinimumCents } = item
  if (offerMinimumCents === null || item.ownerId === null || !maySell(seller))
    throw conflict('no_offers', 'The owner of this work takes no offers')
  if (limitCents < offerMinimumCents)
    throw conflict('too_low', 'The owner of this work takes higher offers only', {
      details: { minimum: toEuros(offerMinimumCents) },
    })
  return item
}

/**
 * Stores an offer whose payment page opens next; it reserves nothing. Idempotent by order id. Deliverability is checked
 * before any lock; a permit can still be signed when the owner accepts.
 */
export async function beginBid(
  { db, minting }: { db: Kysely<Database>; minting: ServiceClient },
  request: NewBid,
): Promise<Begun> {
  const bid = { ...request, buyerWallet: request.buyerWallet?.toLowerCase() ?? null }
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
  const { orderId, itemId, buyerId, buyerWallet: wallet, limitCents: priceCents, days } = bid
  const stored = await lockReservation(trx, orderId)
  requireUnreleased(stored)
  if (stored.lines) throw orderDiffers()
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

const bidNotFound = () => notFound('bid_not_found', 'There is no such offer')

/** The card of an offer is held: its owner can accept it from now on, if the hold lasts long enough. Idempotent. */
export async function placeBid(
  trx: Transaction<Database>,
  { orderId, captureBefore }: { orderId: string; captureBefore: Date | null },
): Promise<BidState> {
  const locked = await lockOffer(trx, orderId)
  if (!locked) throw bidNotFound()
  const { item, offer, now } = locked
  if (offer.state !== 'started') return bidStateOf(offer)
  const endsAt = endOf(offer.days, now)
  if (isHoldTooShort(captureBefore, endsAt))
    return bidStateOf(await endOffer(trx, item, offer, { why: 'hold_too_short', at: now }))
  const open = { ...offer, state: 'open', endsAt } as const
  await saveOffer(trx, open)
  await publishEvent(trx, offerReceived, {
    ...publishedOffer(item, offer),
    endsAt: endsAt.toISOString(),
    at: now.toISOString(),
  })
  return bidStateOf(open)
}

/** Ends an offer as its buyer requests, unless it was accepted. Idempotent. */
export async function withdrawBid(trx: Transaction<Database>, orderId: string): Promise<BidState> {
  const locked = await lockOffer(trx, orderId)
  if (!locked) throw bidNotFound()
  const { item, offer, now } = locked
  if (offer.state === 'accepted' || offer.state === 'ended') return bidStateOf(offer)
  return bidStateOf(await endOffer(trx, item, offer, { why: 'withdrawn', at: now }))
}

/**
 * Payments has ended an offer. One that was accepted meanwhile fails: the item is free again. A later request of this
 * order is refused.
 */
export async function releaseBid(trx: Transaction<Database>, released: Static<typeof bidReleased.data>) {
  const item = await lockReleased(trx, released)
  const offer = await findOffer(trx, released.orderId)
  if (!item || !offer || offer.state === 'ended') return
  await freeItem(trx, item, released)
  await endOffer(trx, item, offer, { why: released.why, at: await databaseNow(trx) })
}

/**
 * Frees the item of a line that was not charged, and ends the offer of its order. The order can reserve nothing
 * afterwards.
 */
export async function releaseOrder(
  trx: Transaction<Database>,
  released: Pick<Static<typeof orderLineReleased.data>, 'orderId' | 'itemId' | 'at'>,
) {
  const item = await lockReleased(trx, released)
  if (!item) return
  await freeItem(trx, item, released)
  if (await closeAcceptedOffer(trx, released.orderId, 'failed')) return
  const offer = await findOffer(trx, released.orderId)
  if (offer && offer.state !== 'ended')
    await endOffer(trx, item, offer, { why: 'not_held', at: await databaseNow(trx) })
}
