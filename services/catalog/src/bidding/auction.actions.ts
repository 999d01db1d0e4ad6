import { AUCTION_STARTS_WITHIN_DAYS, auctionHours } from '@nifty/api/auction-limits'
import { toCents, UtcTime } from '@nifty/api/shapes'
import { itemListed } from '@nifty/events/catalog'
import { conflict, invalid, notFound } from '@nifty/service-kit/base/errors'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Kysely, Transaction } from 'kysely'
import { Value } from 'typebox/value'
import { lockAccountShared } from '../accounts/account.store.ts'
import { requireSeller } from '../accounts/account.ts'
import { endAuction } from '../auctions/auction.actions.ts'
import { addAuction, findAuction } from '../auctions/auction.store.ts'
import { clockFrom, deliverableUntil } from '../auctions/auction.ts'
import type { Auction, Database, Item } from '../db.ts'
import { requireUncontested } from '../items/contested-line.store.ts'
import { requireDeliverable } from '../items/deliverability.actions.ts'
import { findItem, lockItem, saveItem } from '../items/item.store.ts'
import {
  formerSaleOf,
  putOnAuction,
  requireNotOnAuction,
  requireUnreserved,
  requireVisible,
  takeOffAuction,
  takeOffCancelled,
} from '../items/item.ts'
import { databaseNow, requireUsualPrice, saveUnlisted } from '../items/listing.actions.ts'
import { recordPrices } from '../items/price.store.ts'
import { endOffers } from '../offers/offer.actions.ts'
import { lockAuction } from './auction-lock.ts'

export type Terms = { openingCents: number; hours: number; startsAt: Date | null }

const invalidField = (code: string, path: string, msg: string) => invalid(code, msg, { errors: [{ msg, path }] })

/** Throws 400 `invalid_amount`, `invalid_hours`, `invalid_start`. */
export function readTerms({
  opening,
  hours,
  startsAt,
}: Record<'opening' | 'hours', unknown> & { startsAt?: unknown }): Terms {
  const openingCents = toCents(opening)
  if (openingCents === null) {
    const msg = 'The opening price must be between 0.50 and 999999.99 with at most 2 decimals'
    throw invalidField('invalid_amount', 'opening', msg)
  }
  const { min, max } = auctionHours
  if (typeof hours !== 'number' || !Number.isInteger(hours) || hours < min || hours > max)
    throw invalidField('invalid_hours', 'hours', `An auction runs for ${min} to ${max} hours`)
  return { openingCents, hours, startsAt: readStart(startsAt ?? null) }
}

function readStart(startsAt: unknown): Date | null {
  if (startsAt === null) return null
  if (!Value.Check(UtcTime, startsAt)) throw invalidStart()
  const start = new Date(startsAt)
  // A day that its month does not have is read as one of the next month.
  if (start.getUTCDate() !== Number(startsAt.slice(8, 10))) throw invalidStart()
  return start
}

const invalidStart = () =>
  invalidField(
    'invalid_start',
    'startsAt',
    `The start must be within the next ${AUCTION_STARTS_WITHIN_DAYS} days, in UTC`,
  )

const DAY_MS = 86_400_000

function requireStart({ startsAt }: Terms, now: Date) {
  if (startsAt === null) return
  const ahead = startsAt.getTime() - now.getTime()
  if (ahead < 0 || ahead > AUCTION_STARTS_WITHIN_DAYS * DAY_MS) throw invalidStart()
}

const firstClock = ({ startsAt, hours }: Terms) =>
  startsAt === null ? { endsAt: null, latestEndAt: null } : clockFrom(startsAt, hours)

/** Whether the item is on an auction of the same terms that nobody has bid in: a request that is repeated. */
async function isStarted(db: Kysely<Database>, { auctionId }: Item, terms: Terms) {
  const auction = auctionId === null ? undefined : await findAuction(db, auctionId)
  return (
    auction?.state === 'open' &&
    auction.bids === 0 &&
    auction.openingCents === terms.openingCents &&
    auction.hours === terms.hours &&
    auction.startsAt?.getTime() === terms.startsAt?.getTime()
  )
}

type Start = { itemId: string; userId: string; steppedUp: boolean; terms: Terms }

/**
 * Starts an auction, which ends the listing and the offers of the item. The same request again changes nothing. An
 * unusual opening price needs a step-up, 403 `step_up_required`. Deliverability is checked before any lock, for as long
 * as the auction can last. Throws 400 `invalid_start`, 404, 403 `not_the_owner`, 409 `on_auction`, `item_hidden`,
 * `item_moved`, `item_reserved`, `permit_required`, `work_contested` and others of minting.
 */
export async function startAuction(
  { db, minting }: { db: Kysely<Database>; minting: ServiceClient },
  start: Start,
): Promise<void> {
  const { itemId, userId, terms } = start
  const item = requireVisible(await findItem(db, itemId), userId)
  if (await isStarted(db, item, terms)) return
  requireNotOnAuction(item)
  requireUnreserved(item)
  await requireUncontested(db, item)
  const now = await databaseNow(db)
  requireStart(terms, now)
  const { latestEndAt } = firstClock(terms)
  await requireDeliverable(minting, item, { until: deliverableUntil({ latestEndAt, hours: terms.hours }, now) })
  await inTransaction(db, (trx) => startLocked(trx, start, item))
}

/** The part under the locks of the seller's account and of the item. `checked`: the item that minting can deliver. */
async function startLocked(trx: Transaction<Database>, { itemId, userId, steppedUp, terms }: Start, checked: Item) {
  requireSeller(await lockAccountShared(trx, userId))
  const item = requireVisible(await lockItem(trx, itemId), userId)
  if (await isStarted(trx, item, terms)) return
  requireNotOnAuction(item)
  await requireUncontested(trx, item)
  if (item.wallet !== checked.wallet) throw conflict('item_moved', 'The item has just moved, please reload')
  requireUnreserved(item)
  const now = await databaseNow(trx)
  const { openingCents, hours, startsAt } = terms
  const { confirm } = await requireUsualPrice(trx, item, { userId, priceCents: openingCents, steppedUp, now })
  const { id: auctionId } = await addAuction(trx, {
    itemId,
    sellerId: userId,
    openingCents,
    hours,
    startsAt,
    ...firstClock(terms),
    ...formerSaleOf(item),
  })
  await endOffers(trx, item, { why: 'on_auction', at: now })
  if (item.forSale) await recordPrices(trx, itemId, [item.priceCents!])
  const offered = putOnAuction(item, { auctionId, openingCents, now })
  await saveItem(trx, offered)
  await confirm()
  const { id, token, listingVersion } = offered
  const at = now.toISOString()
  if (!item.forSale)
    await publishEvent(trx, itemListed, {
      itemId: id,
      token,
      sellerId: userId,
      priceCents: openingCents,
      listingVersion,
      at,
    })
}

const auctionNotFound = () => notFound('auction_not_found', 'There is no such auction')
const hasBids = () => conflict('auction_has_bids', 'This auction has bids, which are binding')

/**
 * Cancels an auction in which no bid stands: the item is sold as it was before. Idempotent: one that has ended without
 * a winner stays as it is. Returns the id of its item. Throws 404 `auction_not_found`, 409 `auction_has_bids`, also of
 * one whose sale has failed.
 */
export async function cancelAuction(
  trx: Transaction<Database>,
  { auctionId, userId }: { auctionId: string; userId: string },
): Promise<string> {
  requireSeller(await lockAccountShared(trx, userId))
  const locked = await lockAuction(trx, auctionId)
  if (locked?.auction.sellerId !== userId) throw auctionNotFound()
  const { item, auction, now } = locked
  if (isSaleOf(auction) || auction.leaderOrder !== null) throw hasBids()
  if (auction.state !== 'open') return item.id
  await endAuction(trx, item, auction, { outcome: 'cancelled', at: now })
  const after = takeOffCancelled(item, auction, now)
  await saveUnlisted(trx, { before: item, after, reason: 'owner', at: now.toISOString() })
  return item.id
}

const isSaleOf = ({ state }: Auction) => state === 'awarded' || state === 'sold'

/**
 * Ends an auction without a sale, with all its bids. Idempotent: one that has ended without a sale stays as it is.
 * Throws 404 `auction_not_found`, 409 `auction_decided`.
 */
export async function voidAuction(trx: Transaction<Database>, auctionId: string) {
  const locked = await lockAuction(trx, auctionId)
  if (!locked) throw auctionNotFound()
  const { item, auction, now } = locked
  if (isSaleOf(auction)) throw conflict('auction_decided', 'This auction is decided')
  if (auction.state !== 'open') return
  await endAuction(trx, item, auction, { outcome: 'void', why: 'operator', at: now })
  const after = takeOffAuction(item, auction)
  await saveUnlisted(trx, { before: item, after, reason: 'operator', at: now.toISOString() })
}
