import type { Reservation, ReservedLine } from '@nifty/api/catalog/internal'
import type { deliveryFinal } from '@nifty/events/minting'
import { conflict } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely, Transaction } from 'kysely'
import type { Static } from 'typebox'
import { findAccounts } from '../accounts/account.store.ts'
import { addBuyer } from '../accounts/buyer.store.ts'
import { incrementCreatorCount } from '../accounts/creator.store.ts'
import { closeWonAuction } from '../auctions/auction.actions.ts'
import { findAuction } from '../auctions/auction.store.ts'
import type { Account, Database, Item } from '../db.ts'
import { recordItemNews } from '../news/item-news.store.ts'
import { closeAcceptedOffer, endOffers } from '../offers/offer.actions.ts'
import { DELIVERED } from '../offers/offer.ts'
import { requireDeliverableTo } from './deliverability.actions.ts'
import { lockItem, lockItems } from './item.store.ts'
import {
  endSoldListing,
  isOnSale,
  itemNotFound,
  release,
  reserve,
  royaltyBpsOf,
  type Seller,
  takeOffAuction,
} from './item.ts'
import { recordHistory } from './item-history.store.ts'
import { databaseNow, saveUnlisted } from './listing.actions.ts'
import { recordPrices } from './price.store.ts'
import {
  findItemsToReserve,
  lockReservation,
  markReleased,
  type StoredReservation,
  saveReservation,
} from './reservation.store.ts'

export const orderOver = () => conflict('order_over', 'This order is over')
export const orderDiffers = () => conflict('order_differs', 'This order was for something else')

/** Throws 409 `order_over` when the release of the order was consumed before. */
export function requireUnreleased(stored: Pick<StoredReservation, 'releasedAt'> | undefined) {
  if (stored?.releasedAt) throw orderOver()
}

type Reserved = { lines: ReservedLine[] }

/** The stored lines of an order that has reserved before. Throws 409 if the order is over, or was for other items. */
function storedLines(stored: StoredReservation | undefined, { buyerId, items }: Reservation): Reserved | undefined {
  requireUnreleased(stored)
  if (!stored?.lines) return undefined
  const prices = new Map(items.map(({ itemId, priceCents }) => [itemId, priceCents]))
  const same =
    stored.lines.length === prices.size && stored.lines.every((line) => prices.get(line.itemId) === line.priceCents)
  if (!same || stored.buyerId !== buyerId) throw orderDiffers()
  return { lines: stored.lines }
}

/** All items, reserved. Throws the refusal of the first one that cannot be. */
function reserveAll(items: Item[], sellers: Map<string, Seller>, order: Reservation): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const { orderId, buyerId } = order
  const until = new Date(order.until)
  return order.items.map(({ itemId, priceCents }) => {
    const item = byId.get(itemId)
    if (!item || item.hiddenAt !== null) throw itemNotFound()
    const purchase = { orderId, buyerId, buyerWallet: order.buyerWallet?.toLowerCase() ?? null, priceCents, until }
    return reserve(item, sellers.get(item.ownerId ?? ''), purchase)
  })
}

/**
 * Reserves every item of an order, or none; idempotent by order id. Deliverability is checked before any lock, and only
 * for items that are for sale; minting checks it again when it signs the delivery.
 */
export async function reserveItems(
  { db, minting }: { db: Kysely<Database>; minting: ServiceClient },
  order: Reservation,
): Promise<Reserved> {
  const itemIds = order.items.map(({ itemId }) => itemId)
  const items = await findItemsToReserve(db, { orderId: order.orderId, itemIds })
  const [first] = items
  // Of items that do not exist, the part under locks finds out whether the order is a repeated one.
  if (!first) return inTransaction(db, (trx) => reserveLocked(trx, order))
  const before = storedLines(first.stored ?? undefined, order)
  if (before) return before
  reserveAll(items, new Map(items.map(({ ownerId, seller }) => [ownerId ?? '', seller ?? undefined])), order)
  await requireDeliverableTo({ db, minting }, items, { to: order.buyerWallet })
  return inTransaction(db, (trx) => reserveLocked(trx, order))
}

/** The part under locks: first the order's reservation, then its items ordered by id. */
export async function reserveLocked(trx: Transaction<Database>, order: Reservation): Promise<Reserved> {
  const before = storedLines(await lockReservation(trx, order.orderId), order)
  if (before) return before
  const itemIds = order.items.map(({ itemId }) => itemId)
  const items = await lockItems(trx, itemIds)
  const accounts = await findAccountsOf(trx, items)
  const reserved = reserveAll(items, accounts, order)
  const lines = reserved.map((item) => lineOf(item, accounts))
  await saveReservation(trx, { orderId: order.orderId, buyerId: order.buyerId, lines }, reserved)
  return { lines }
}

/** Owners and creators. */
export const findAccountsOf = (db: Kysely<Database>, items: Item[]) =>
  findAccounts(
    db,
    items.flatMap(({ ownerId, creatorId }) => [ownerId, creatorId]),
  )

/** The item at its price, or at that of an offer, cents. */
export const lineOf = (item: Item, accounts: Map<string, Account>, priceCents = item.priceCents!): ReservedLine => ({
  itemId: item.id,
  contract: item.contract,
  identifier: item.identifier,
  name: item.name,
  image: item.image,
  category: item.category,
  sellerId: item.ownerId!,
  sellerUsername: accounts.get(item.ownerId!)?.username ?? '',
  creatorId: item.creatorId,
  royaltyBps: royaltyBpsOf(item, accounts.get(item.creatorId)),
  priceCents,
  listingVersion: item.listingVersion,
})

type Released = { orderId: string; itemId: string }

/**
 * The row lock on the item of an order of which payments keeps no money any more. The order can reserve nothing
 * afterwards.
 */
export async function lockReleased(trx: Transaction<Database>, { orderId, itemId }: Released) {
  await lockReservation(trx, orderId)
  await markReleased(trx, orderId)
  return lockItem(trx, itemId)
}

/** Frees the item if it is reserved for the order, and ends the auction that has awarded it. */
export async function freeItem(trx: Transaction<Database>, item: Item, { orderId }: Released) {
  if (item.reservedOrder !== orderId) return
  // Not the time at which payments published it: an auction ends with its listing, at the same clock.
  const now = await databaseNow(trx)
  const at = now.toISOString()
  const auction = item.auctionId === null ? undefined : await findAuction(trx, item.auctionId)
  const free = auction ? takeOffAuction(release(item), auction) : release(item)
  const isDelisted = isOnSale(item) && !isOnSale(free)
  const after = isDelisted ? { ...free, delistedAt: now } : free
  await saveUnlisted(trx, { before: item, after, reason: 'owner', at })
  const causedBy = [item.reservedBy!, item.reservedSeller!]
  if (after.forSale) await recordItemNews(trx, { itemId: item.id, what: 'available', exceptIds: causedBy, at })
}

/** Ends the reservation of a delivered item. Its owner is set by `token-moved` only. */
export async function closeSale(trx: Transaction<Database>, final: Static<typeof deliveryFinal.data>) {
  const item = await lockItem(trx, final.itemId)
  if (item?.reservedOrder !== final.orderId) return
  const { id: itemId, reservedSeller, reservedCents } = item
  const free = release(item)
  const now = await databaseNow(trx)
  await closeAcceptedOffer(trx, final.orderId, { why: DELIVERED, at: now })
  await closeWonAuction(trx, final.orderId, new Date(final.at))
  // If the move was consumed first, the new owner may sell the item already: that listing and those offers stay.
  const isSellers = item.ownerId === reservedSeller
  if (isSellers) await endOffers(trx, item, { why: 'sold', at: now })
  const after = isSellers ? { ...endSoldListing(free), offerMinimumCents: null } : free
  const sold = { ...after, soldAt: new Date(final.at) }
  await saveUnlisted(trx, { before: item, after: sold, reason: 'sold', at: final.at })
  await recordHistory(trx, {
    itemId,
    what: 'sold',
    happenedAt: final.at,
    userId: final.buyerId,
    priceCents: reservedCents!,
    txHash: final.txHash,
  })
  await recordPrices(trx, itemId, [reservedCents!])
  await recordItemNews(trx, { itemId, what: 'sold', exceptIds: [final.buyerId, reservedSeller!], at: final.at })
  await incrementCreatorCount(trx, reservedSeller!, 'sales')
  await addBuyer(trx, { sellerId: reservedSeller!, buyerId: final.buyerId })
}
