import type { Reservation, ReservedLine } from '@nifty/api/catalog/internal'
import type { deliveryFinal } from '@nifty/events/minting'
import type { orderLineReleased } from '@nifty/events/payments'
import { conflict } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely, Transaction } from 'kysely'
import type { Static } from 'typebox'
import { findAccounts } from '../accounts/account.store.ts'
import { addBuyer } from '../accounts/buyer.store.ts'
import { incrementCreatorCount } from '../accounts/creator.store.ts'
import type { Account, Database, Item } from '../db.ts'
import { recordItemNews } from '../news/item-news.store.ts'
import { requireDeliverableTo } from './deliverability.actions.ts'
import { lockItem, lockItems } from './item.store.ts'
import { endSoldListing, itemNotFound, release, reserve, royaltyBpsOf, type Seller } from './item.ts'
import { recordHistory } from './item-history.store.ts'
import { saveUnlisted } from './listing.actions.ts'
import { recordPrices } from './price.store.ts'
import {
  findItemsToReserve,
  lockReservation,
  markReleased,
  type StoredReservation,
  saveReservation,
} from './reservation.store.ts'

type Reserved = { lines: ReservedLine[] }

/** The stored lines of an order that has reserved before. Throws 409 if the order is over, or was for other items. */
function storedLines(stored: StoredReservation | undefined, { buyerId, items }: Reservation): Reserved | undefined {
  if (stored?.releasedAt) throw conflict('order_over', 'This order is over')
  if (!stored?.lines) return undefined
  const prices = new Map(items.map(({ itemId, priceCents }) => [itemId, priceCents]))
  const same =
    stored.lines.length === prices.size && stored.lines.every((line) => prices.get(line.itemId) === line.priceCents)
  if (!same || stored.buyerId !== buyerId) throw conflict('order_differs', 'This order was for something else')
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
  await requireDeliverableTo({ db, minting }, items, order.buyerWallet)
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
const findAccountsOf = (db: Kysely<Database>, items: Item[]) =>
  findAccounts(
    db,
    items.flatMap(({ ownerId, creatorId }) => [ownerId, creatorId]),
  )

const lineOf = (item: Item, accounts: Map<string, Account>): ReservedLine => ({
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
  priceCents: item.priceCents!,
  listingVersion: item.listingVersion,
})

/** Frees the item of a line that was not charged. The order can reserve nothing afterwards. */
export async function releaseOrder(
  trx: Transaction<Database>,
  released: Pick<Static<typeof orderLineReleased.data>, 'orderId' | 'itemId' | 'at'>,
) {
  await lockReservation(trx, released.orderId)
  await markReleased(trx, released.orderId)
  const item = await lockItem(trx, released.itemId)
  if (item?.reservedOrder !== released.orderId) return
  const free = release(item)
  const isDelisted = item.forSale && !free.forSale
  const after = isDelisted ? { ...free, delistedAt: new Date(released.at) } : free
  await saveUnlisted(trx, { before: item, after, reason: 'owner', at: released.at })
  const causedBy = [item.reservedBy!, item.reservedSeller!]
  if (after.forSale)
    await recordItemNews(trx, { itemId: item.id, what: 'available', exceptIds: causedBy, at: released.at })
}

/** Ends the reservation of a delivered item. Its owner is set by `token-moved` only. */
export async function closeSale(trx: Transaction<Database>, final: Static<typeof deliveryFinal.data>) {
  const item = await lockItem(trx, final.itemId)
  if (item?.reservedOrder !== final.orderId) return
  const { id: itemId, reservedSeller, reservedCents } = item
  const free = release(item)
  // If the move was consumed first, the new owner may have listed the item already: that listing stays.
  const after = item.ownerId === reservedSeller ? endSoldListing(free) : free
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
