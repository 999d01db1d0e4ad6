import { conflict, forbidden, notFound } from '@nifty/service-kit/base/errors'
import { maySell } from '../accounts/account.ts'
import type { Account, Auction, Item } from '../db.ts'

export const itemNotFound = () => notFound('item_not_found', 'NFT not found')
export const notForSale = () => conflict('not_for_sale', 'This item is not for sale')
const itemReserved = (until: Date | null) =>
  conflict('item_reserved', 'Somebody else is buying this item right now', {
    details: { reservedUntil: until?.toISOString() ?? null },
  })
const onAuction = () => conflict('on_auction', 'This work is on auction')
const notTheOwner = () => forbidden('not_the_owner', 'Forbidden')

/** The creator's part of a resale, basis points. Without an account there is no payee: the seller keeps it. */
export const royaltyBpsOf = (
  item: Pick<Item, 'royaltyBps'>,
  creator: Pick<Account, 'deletedAt'> | undefined,
): number => (creator?.deletedAt ? 0 : item.royaltyBps)

/** The item, if this account owns it, also while the account hides it. Throws 404, or 403 `not_the_owner`. */
export function requireOwner(item: Item | undefined, userId: string): Item {
  if (!item || item.hiddenBy === 'operator') throw itemNotFound()
  if (item.ownerId === userId) return item
  throw item.hiddenBy === 'owner' ? itemNotFound() : notTheOwner()
}

/** The item, if this account owns it and may list it. Throws 404, 403 `not_the_owner`, or 409 `item_hidden`. */
export function requireVisible(item: Item | undefined, userId: string): Item {
  const own = requireOwner(item, userId)
  if (own.hiddenBy === 'owner') throw conflict('item_hidden', 'You hide this work. Please show it first.')
  return own
}

/**
 * Whether its delivery was checked when it was listed, and holds: a token in custody moves only by a sale or after a
 * delisting.
 */
export const isListedInCustody = ({ forSale, wallet }: Item) => forSale && wallet === null

/** Hides the item for its owner. Idempotent. Throws 409 `listed`, `on_auction` or `item_reserved`. */
export function hideForOwner(item: Item, now: Date): Item {
  requireUnreserved(item)
  requireNotOnAuction(item)
  if (item.forSale || item.listWhenOwned) throw conflict('listed', 'Please remove the NFT from sale first')
  return { ...item, hiddenAt: item.hiddenAt ?? now, hiddenBy: 'owner' }
}

/** Ends the hiding by the owner. An operator's stays. */
export const showForOwner = (item: Item): Item =>
  item.hiddenBy === 'owner' ? { ...item, hiddenAt: null, hiddenBy: null } : item

/** Whether the store sells it, at its price or by an auction: minting keeps a token in custody until that ends. */
export const isOnSale = ({ forSale, auctionId }: Pick<Item, 'forSale' | 'auctionId'>) => forSale || auctionId !== null

/** Throws 409 `on_auction`. */
export function requireNotOnAuction({ auctionId }: Pick<Item, 'auctionId'>) {
  if (auctionId !== null) throw onAuction()
}

const NEW_AFTER_MS = 30 * 86_400_000

/**
 * Whether listing the item now begins a new listing, first in the market: it was not listed since its last sale, or 30
 * days ago. Otherwise the former listing continues in its place.
 */
export const isNewListing = ({ forSale, listedAt }: Pick<Item, 'forSale' | 'listedAt'>, now: Date) =>
  !forSale && (listedAt === null || now.getTime() - listedAt.getTime() >= NEW_AFTER_MS)

/**
 * Lists an item, or changes its price. A reservation keeps the price it was made at: the new one counts for the next
 * sale. Withdraws a delist request.
 */
export function list(item: Item, { priceCents, now }: { priceCents: number; now: Date }): Item {
  const listed = { ...item, priceCents, forSale: true, listWhenOwned: false, delistRequested: false }
  return { ...listed, ...placeOf(item, now), listingVersion: item.listingVersion + 1 }
}

const placeOf = (item: Item, now: Date) => (isNewListing(item, now) ? { listedAt: now, shownAt: now } : {})

/** Puts the item on auction, which ends its listing. Its place in the market is that of a listing. */
export function putOnAuction(
  item: Item,
  { auctionId, openingCents, now }: { auctionId: string; openingCents: number; now: Date },
): Item {
  const offered = { auctionId, priceCents: openingCents, offerMinimumCents: null }
  const unlisted = { forSale: false, listWhenOwned: false }
  return { ...item, ...unlisted, ...placeOf(item, now), ...offered, listingVersion: item.listingVersion + 1 }
}

/** How the item is sold, as its auction keeps it. */
export const formerSaleOf = ({ priceCents, forSale, offerMinimumCents }: Item) => ({
  formerCents: priceCents,
  formerForSale: forSale,
  formerMinimumCents: offerMinimumCents,
})

/**
 * Takes the item off an auction that ends without a sale: its price is that before the auction, or the opening price if
 * it had none, and no bid's.
 */
export const takeOffAuction = (
  item: Item,
  { openingCents, formerCents }: Pick<Auction, 'openingCents' | 'formerCents'>,
): Item => ({ ...item, auctionId: null, priceCents: formerCents ?? openingCents })

/** Takes the item off an auction that its owner cancels: it is sold as it was before. */
export const takeOffCancelled = (item: Item, auction: Auction, now: Date): Item => ({
  ...takeOffAuction(item, auction),
  offerMinimumCents: auction.formerMinimumCents,
  ...(auction.formerForSale ? { forSale: true } : { delistedAt: now }),
})

/** Ends the listing. For a reserved item it only requests that: payments decides whether the sale still ends. */
export function delist(item: Item): Item {
  if (item.reservedOrder !== null && item.forSale) return { ...item, listWhenOwned: false, delistRequested: true }
  return { ...item, listWhenOwned: false, forSale: false }
}

/** Ends the listing, reserved or not. */
export const endListing = (item: Item): Item => ({ ...item, forSale: false, listWhenOwned: false })

/** After a sale: the next listing is a new one. */
export const endSoldListing = (item: Item): Item => ({ ...endListing(item), listedAt: null })

type Buyer = {
  buyerId: string
  /** Lower case; null: into custody. */
  buyerWallet: string | null
}

type Purchase = Buyer & {
  orderId: string
  priceCents: number
  until: Date | null
}

export type Seller = Pick<Account, 'wallet' | 'admin' | 'suspended' | 'deletedAt'> | undefined

/** Throws 403 `own_item` when the buyer owns the item, as account or as wallet. */
export function requireForeign(item: Item, seller: Seller, { buyerId, buyerWallet }: Buyer) {
  const isOwnWallet = buyerWallet !== null && (item.wallet === buyerWallet || seller?.wallet === buyerWallet)
  if (item.ownerId === buyerId || isOwnWallet) throw forbidden('own_item', 'You cannot buy your own item')
}

/** Throws 409 `item_reserved` with `reservedUntil`, null once the payment is held. */
export function requireUnreserved(item: Pick<Item, 'reservedOrder' | 'reservedUntil'>) {
  if (item.reservedOrder !== null) throw itemReserved(item.reservedUntil)
}

/**
 * Reserves the item, which is for sale, for one order. Throws 403 `own_item`, 409 `on_auction`, `not_for_sale`,
 * `price_changed`, `item_reserved`.
 */
export function reserve(item: Item, seller: Seller, purchase: Purchase): Item {
  requireForeign(item, seller, purchase)
  requireNotOnAuction(item)
  if (!item.forSale || !maySell(seller)) throw notForSale()
  requireUnreserved(item)
  if (item.priceCents !== purchase.priceCents) throw conflict('price_changed', 'The price has changed, please reload')
  return reserved(item, purchase)
}

/** The item, reserved for an order. */
export function reserved(item: Item, { orderId, buyerId, priceCents, until }: Omit<Purchase, 'buyerWallet'>): Item {
  return {
    ...item,
    reservedOrder: orderId,
    reservedBy: buyerId,
    reservedCents: priceCents,
    reservedUntil: until,
    reservedSeller: item.ownerId,
    delistRequested: false,
  }
}

/** Ends the reservation, with the auction that has awarded it, and applies a delist request that arrived meanwhile. */
export function release(item: Item): Item {
  const free = { reservedOrder: null, reservedBy: null, reservedCents: null, reservedSeller: null, reservedUntil: null }
  return { ...item, ...free, auctionId: null, delistRequested: false, forSale: item.forSale && !item.delistRequested }
}
