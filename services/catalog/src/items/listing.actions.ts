import { delistRequested, itemDelisted, itemListed } from '@nifty/events/catalog'
import { conflict } from '@nifty/service-kit/base/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { sql, type Transaction } from 'kysely'
import { lockAccountShared } from '../accounts/account.store.ts'
import { maySell, requireSeller } from '../accounts/account.ts'
import type { Account, Database, Item } from '../db.ts'
import { recordItemNews } from '../news/item-news.store.ts'
import { requireUncontested } from './contested-line.store.ts'
import { lockItem, saveItem } from './item.store.ts'
import { delist, endListing, isListedInCustody, list, requireOwner, requireVisible } from './item.ts'
import { recordHistory } from './item-history.store.ts'

type DelistReason = 'owner' | 'sold' | 'undeliverable' | 'account' | 'operator'

/** The database's time, so that replicas with differing clocks agree on the order of the market. */
export async function databaseNow(trx: Transaction<Database>) {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx)
  return rows[0]!.now
}

async function listAt(trx: Transaction<Database>, item: Item, priceCents: number): Promise<Item> {
  const now = await databaseNow(trx)
  const listed = list(item, { priceCents, now })
  await saveItem(trx, listed)
  const { id: itemId, token, listingVersion } = listed
  const at = now.toISOString()
  await recordHistory(trx, { itemId, what: 'listed', happenedAt: at, userId: item.ownerId, priceCents })
  await recordListingNews(trx, item, { priceCents, at })
  // A new price begins no listing.
  if (!item.forSale)
    await publishEvent(trx, itemListed, { itemId, token, sellerId: item.ownerId!, priceCents, listingVersion, at })
  return listed
}

/** `before`: the item before it was listed. A reserved item is news once it is free again. */
async function recordListingNews(
  trx: Transaction<Database>,
  before: Item,
  { priceCents, at }: { priceCents: number; at: string },
) {
  const news = { itemId: before.id, exceptIds: [before.ownerId!], at }
  if (!before.forSale && before.ownerId === before.creatorId) await recordItemNews(trx, { ...news, what: 'listed' })
  if (before.reservedOrder !== null) return
  if (!before.forSale) await recordItemNews(trx, { ...news, what: 'available' })
  else if (before.priceCents !== null && priceCents < before.priceCents)
    await recordItemNews(trx, { ...news, what: 'cheaper', formerCents: before.priceCents })
}

type PriceChange = { itemId: string; userId: string; priceCents: number }

/**
 * `checked`: the item whose deliverability minting confirmed, or that was listed in custody. Throws 409 `item_moved` if
 * its wallet differs now, `item_delisted` if the listing in custody has ended, `work_contested`.
 */
export async function setPrice(trx: Transaction<Database>, { itemId, userId, priceCents }: PriceChange, checked: Item) {
  requireSeller(await lockAccountShared(trx, userId))
  const item = requireVisible(await lockItem(trx, itemId), userId)
  await requireUncontested(trx, item)
  if (item.wallet !== checked.wallet) throw conflict('item_moved', 'The item has just moved, please reload')
  if (isListedInCustody(checked) && !item.forSale)
    throw conflict('item_delisted', 'The listing has just ended, please reload')
  return listAt(trx, item, priceCents)
}

/** Makes the listing that a mint requested, once its owner may sell. Tokens in custody are always deliverable. */
export async function listPending(trx: Transaction<Database>, item: Item, account: Account | undefined) {
  const { listWhenOwned, ownerId, wallet, hiddenAt, priceCents } = item
  if (!listWhenOwned || wallet !== null || hiddenAt !== null || priceCents === null) return
  if (ownerId === null || ownerId !== account?.userId || !maySell(account)) return
  await listAt(trx, item, priceCents)
}

/** Idempotent: an item that is not listed stays as it is. */
export async function removeFromSale(trx: Transaction<Database>, { itemId, userId }: Omit<PriceChange, 'priceCents'>) {
  requireSeller(await lockAccountShared(trx, userId))
  const item = requireOwner(await lockItem(trx, itemId), userId)
  return withdraw(trx, item, 'owner')
}

/** Ends the listing; for a reserved item it publishes a delist request, which payments may refuse. */
export async function withdraw(trx: Transaction<Database>, item: Item, reason: DelistReason): Promise<Item> {
  const now = await databaseNow(trx)
  const delisted = delist(item)
  const isEndedByOwner = reason === 'owner' && item.forSale && !delisted.forSale
  const after = isEndedByOwner ? { ...delisted, delistedAt: now } : delisted
  await saveItem(trx, after)
  const { id: itemId, token, reservedOrder } = item
  const at = now.toISOString()
  if (after.delistRequested && !item.delistRequested)
    await publishEvent(trx, delistRequested, { itemId, orderId: reservedOrder!, at })
  if (item.forSale && !after.forSale) await publishEvent(trx, itemDelisted, { itemId, token, reason, at })
  return after
}

/** Ends the listing even if the item is reserved: the chain or an operator has decided. */
export async function endListingFor(trx: Transaction<Database>, item: Item, reason: DelistReason): Promise<Item> {
  const after = endListing(item)
  await saveItem(trx, after)
  const at = (await databaseNow(trx)).toISOString()
  if (item.forSale) await publishEvent(trx, itemDelisted, { itemId: item.id, token: item.token, reason, at })
  return after
}
