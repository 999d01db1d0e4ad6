import { delistRequested, itemDelisted, itemListed, unusualPriceListed } from '@nifty/events/catalog'
import { conflict } from '@nifty/service-kit/base/errors'
import { stepUpRequired } from '@nifty/service-kit/http/step-up'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { type Kysely, sql, type Transaction } from 'kysely'
import { lockAccountShared } from '../accounts/account.store.ts'
import { maySell, requireSeller } from '../accounts/account.ts'
import { endAuction } from '../auctions/auction.actions.ts'
import { findAuction } from '../auctions/auction.store.ts'
import type { Account, Database, Item } from '../db.ts'
import { recordItemNews } from '../news/item-news.store.ts'
import { endOffers } from '../offers/offer.actions.ts'
import type { SellingEnd } from '../offers/offer.ts'
import { requireUncontested } from './contested-line.store.ts'
import { lockItem, saveItem } from './item.store.ts'
import {
  delist,
  endListing,
  endSoldListing,
  isListedInCustody,
  isNewListing,
  isOnSale,
  list,
  requireNotOnAuction,
  requireOwner,
  requireVisible,
  takeOffAuction,
} from './item.ts'
import { changeListedPrice, recordHistory } from './item-history.store.ts'
import { findFormerPrices, lowerUsualPrice, recordPrices } from './price.store.ts'
import { isUnusual, listedPriceOf } from './price.ts'

type DelistReason = 'owner' | 'sold' | 'undeliverable' | 'account' | 'operator'

/** The database's time, so that replicas with differing clocks agree on the order of the market. */
export async function databaseNow(db: Kysely<Database>) {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now
}

/** The price of a listing, cents, and the lowest at which the item was for sale in the 30 days before. */
type Asked = { priceCents: number; lowestCents: number | null; now: Date }

async function listAt(trx: Transaction<Database>, item: Item, { priceCents, lowestCents, now }: Asked): Promise<Item> {
  const listed = list(item, { priceCents, now })
  await saveItem(trx, listed)
  const { id: itemId, token, listingVersion } = listed
  const at = now.toISOString()
  const entry = { itemId, userId: item.ownerId!, priceCents, happenedAt: at }
  if (isNewListing(item, now) || !(await changeListedPrice(trx, entry)))
    await recordHistory(trx, { ...entry, what: 'listed' })
  await recordPrices(trx, itemId, item.forSale ? [item.priceCents!, priceCents] : [priceCents])
  await recordListingNews(trx, item, { priceCents, lowestCents, at })
  // A new price begins no listing.
  if (!item.forSale)
    await publishEvent(trx, itemListed, { itemId, token, sellerId: item.ownerId!, priceCents, listingVersion, at })
  return listed
}

/**
 * `before`: the item before it was listed. A reserved item is news once it is free again. An artist's work is new once:
 * its further listings are no news for followers.
 */
async function recordListingNews(
  trx: Transaction<Database>,
  before: Item,
  { priceCents, lowestCents, at }: Pick<Asked, 'priceCents' | 'lowestCents'> & { at: string },
) {
  const news = { itemId: before.id, exceptIds: [before.ownerId!], at }
  if (before.listingVersion === 0 && before.ownerId === before.creatorId)
    await recordItemNews(trx, { ...news, what: 'listed' })
  if (before.reservedOrder !== null) return
  if (!before.forSale) await recordItemNews(trx, { ...news, what: 'available' })
  else if (lowestCents !== null && priceCents < lowestCents)
    await recordItemNews(trx, { ...news, what: 'cheaper', formerCents: lowestCents })
}

/** Withdraws a delist request. */
async function keepOnSale(trx: Transaction<Database>, item: Item): Promise<Item> {
  const kept = { ...item, delistRequested: false }
  if (item.delistRequested) await saveItem(trx, kept)
  return kept
}

/** Null where there is none. */
const atMost = (...cents: (number | null)[]) => {
  const known = cents.filter((each) => each !== null)
  return known.length === 0 ? null : Math.min(...known)
}

type PriceChange = { itemId: string; userId: string; priceCents: number; steppedUp: boolean }

/**
 * Lists an item, or changes its price. An unusual one needs a step-up, 403 `step_up_required`. The price that it has
 * changes nothing. `checked`: the item whose deliverability minting confirmed, or that was listed in custody. Throws
 * 409 `item_moved` if its wallet differs now, `item_delisted` if the listing in custody has ended, `work_contested`,
 * `on_auction`.
 */
export async function setPrice(trx: Transaction<Database>, change: PriceChange, checked: Item) {
  const { itemId, userId, priceCents } = change
  requireSeller(await lockAccountShared(trx, userId))
  const item = requireVisible(await lockItem(trx, itemId), userId)
  requireNotOnAuction(item)
  await requireUncontested(trx, item)
  if (item.wallet !== checked.wallet) throw conflict('item_moved', 'The item has just moved, please reload')
  if (isListedInCustody(checked) && !item.forSale)
    throw conflict('item_delisted', 'The listing has just ended, please reload')
  if (item.forSale && item.priceCents === priceCents) return keepOnSale(trx, item)
  const now = await databaseNow(trx)
  const { lowestCents, confirm } = await requireUsualPrice(trx, item, { ...change, now })
  const listed = await listAt(trx, item, { priceCents, lowestCents, now })
  await confirm()
  return listed
}

/**
 * A price below half of the listed or paid ones of 90 days, or else of the last one, needs a step-up; without one, 403
 * `step_up_required`. `confirm` mails such a price to the owner, with a link that freezes the account, and makes it the
 * usual one. `lowestCents`: the lowest price of the 30 days before.
 */
export async function requireUsualPrice(
  trx: Transaction<Database>,
  item: Item,
  { userId, priceCents, steppedUp, now }: Omit<PriceChange, 'itemId'> & { now: Date },
) {
  const { id: itemId, name, forSale } = item
  const former = await findFormerPrices(trx, itemId)
  const listedCents = listedPriceOf(item)
  const formerCents = Math.max(former.highestCents ?? 0, listedCents ?? 0)
  const needsOwner = isUnusual(priceCents, formerCents)
  if (needsOwner && !steppedUp) throw stepUpRequired()
  return {
    lowestCents: atMost(former.lowestCents, forSale ? listedCents : null),
    confirm: async () => {
      if (!needsOwner) return
      await lowerUsualPrice(trx, itemId, priceCents)
      const at = now.toISOString()
      await publishEvent(trx, unusualPriceListed, { itemId, userId, name, priceCents, formerCents, at })
    },
  }
}

/** Makes the listing that a mint requested, once its owner may sell. Tokens in custody are always deliverable. */
export async function listPending(trx: Transaction<Database>, item: Item, account: Account | undefined) {
  const { listWhenOwned, ownerId, wallet, hiddenAt, priceCents } = item
  if (!listWhenOwned || wallet !== null || hiddenAt !== null || priceCents === null) return
  if (ownerId === null || ownerId !== account?.userId || !maySell(account)) return
  await listAt(trx, item, { priceCents, lowestCents: null, now: await databaseNow(trx) })
}

/** Idempotent: an item that is not listed stays as it is. */
export async function removeFromSale(
  trx: Transaction<Database>,
  { itemId, userId }: Pick<PriceChange, 'itemId' | 'userId'>,
) {
  requireSeller(await lockAccountShared(trx, userId))
  const item = requireOwner(await lockItem(trx, itemId), userId)
  return withdraw(trx, item, 'owner')
}

/**
 * Ends the listing; for a reserved item it publishes a delist request, which payments may refuse. `before`: the item as
 * it is stored, where the caller has changed more of it.
 */
export async function withdraw(
  trx: Transaction<Database>,
  item: Item,
  reason: DelistReason,
  { before = item } = {},
): Promise<Item> {
  const now = await databaseNow(trx)
  const delisted = delist(item)
  const isEndedByOwner = reason === 'owner' && item.forSale && !delisted.forSale
  const after = isEndedByOwner ? { ...delisted, delistedAt: now } : delisted
  const at = now.toISOString()
  await saveUnlisted(trx, { before, after, reason, at })
  const { id: itemId, reservedOrder } = item
  if (after.delistRequested && !item.delistRequested)
    await publishEvent(trx, delistRequested, { itemId, orderId: reservedOrder!, at })
  return after
}

type Ending = { before: Item; after: Item; reason: DelistReason; at: string }

/**
 * Saves an item whose listing or auction may end by that, and publishes the end. The price of a listing was asked until
 * now, however long ago it began.
 */
export async function saveUnlisted(trx: Transaction<Database>, { before, after, reason, at }: Ending) {
  await saveItem(trx, after)
  if (!isOnSale(before) || isOnSale(after)) return
  if (before.forSale) await recordPrices(trx, before.id, [before.priceCents!])
  await publishEvent(trx, itemDelisted, { itemId: before.id, token: before.token, reason, at })
}

/** The account of the seller was frozen or suspended: requests the end of a sale whose delivery is not signed. */
export async function stopSale(trx: Transaction<Database>, { id: itemId, reservedOrder: orderId }: Item) {
  if (orderId === null) return
  const at = (await databaseNow(trx)).toISOString()
  await publishEvent(trx, delistRequested, { itemId, orderId, suspended: true, at })
}

const delistReasons = {
  sold: 'sold',
  moved: 'undeliverable',
  hidden: 'operator',
  account: 'account',
  undeliverable: 'undeliverable',
} as const satisfies Record<SellingEnd, DelistReason>

/**
 * Ends every way in which the item is sold, its listing, its offers and its auction, even if it is reserved: the chain
 * or an operator has decided. A reservation stays, with the offer or the bid that it is for.
 */
export async function endSelling(trx: Transaction<Database>, item: Item, why: SellingEnd): Promise<Item> {
  const now = await databaseNow(trx)
  const free = await endUndecided(trx, item, { why, at: now })
  const after = why === 'sold' ? endSoldListing(free) : endListing(free)
  await saveUnlisted(trx, { before: item, after, reason: delistReasons[why], at: now.toISOString() })
  return after
}

/**
 * Ends its offers, its auction, and every way of selling that payments need not decide about: of a reserved item that
 * is listed, the end of the listing is only requested.
 */
export async function stopSelling(trx: Transaction<Database>, item: Item, why: 'account' | 'hidden'): Promise<Item> {
  const free = await endUndecided(trx, item, { why, at: await databaseNow(trx) })
  return withdraw(trx, free, delistReasons[why], { before: item })
}

/**
 * The item as the caller saves it. An awarded auction stays while the item does: the chain decides, as for a
 * purchase.
 */
async function endUndecided(trx: Transaction<Database>, item: Item, end: { why: SellingEnd; at: Date }): Promise<Item> {
  const { why, at } = end
  await endOffers(trx, item, end)
  const free = { ...item, offerMinimumCents: null }
  if (item.auctionId === null) return free
  const auction = (await findAuction(trx, item.auctionId))!
  if (item.reservedOrder !== null) {
    if (why === 'sold') return { ...free, auctionId: null }
    return why === 'moved' ? takeOffAuction(free, auction) : free
  }
  await endAuction(trx, item, auction, { outcome: 'void', why: why === 'sold' ? 'moved' : why, at })
  return takeOffAuction(free, auction)
}
