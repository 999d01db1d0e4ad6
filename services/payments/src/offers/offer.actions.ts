import { randomUUID } from 'node:crypto'
import type { BidKind } from '@nifty/api/catalog/bids'
import type { OfferDays } from '@nifty/api/offer-days'
import { conflict, limitReached, tooMany } from '@nifty/service-kit/base/errors'
import type { Transaction } from 'kysely'
import type { Config } from '../config.ts'
import type { Database, Order } from '../db.ts'
import { requestCancellation } from '../orders/cancellation.actions.ts'
import { linesOf } from '../orders/line.store.ts'
import { isUndecided, isUnpaid } from '../orders/line.ts'
import { alreadyBuying, offerExists, purchaseBlocked, salesPaused } from '../orders/order.errors.ts'
import { lockOrder } from '../orders/order.store.ts'
import { OPEN_FOR_MS } from '../purchases/purchase.actions.ts'
import { insertOrder, lockBuyer } from '../purchases/purchase.store.ts'
import { type OfferStarts, readOfferStarts } from './offer.store.ts'

const DAY_S = 86_400

const tooManyOffers = () =>
  limitReached('too_many_offers', 'You have too many open offers and bids. Please wait until one is decided.')

export const offerEnding = (orderId: string, kind: BidKind) =>
  conflict('order_ending', `Your earlier ${kind} is being cancelled, please try again in a moment`, {
    details: { orderId },
  })

/** `wallet` is null for custody. */
export type NewOffer = {
  buyerId: string
  wallet: string | null
  itemId: string
  kind: BidKind
  /** The price of an offer; the most that a bidder would pay. */
  limitCents: number
  /** Of an offer. */
  days?: OfferDays
  /** The bidder has confirmed an unusual amount. */
  sure?: boolean | undefined
  termsVersion?: string | undefined
}

/** `ending`: a former offer or bid with an open page, whose cancellation is requested now. */
type PlacedOffer = (Pick<Order, 'id' | 'sessionUrl'> & { isNew: boolean }) | { ending: string }

/**
 * Stores the order of an offer or a bid; returns its id, and the page of one that exists (`isNew` is false).
 * Idempotent: the same of the same buyer to the same recipient returns the order that is still unpaid. Another one for
 * the work ends it. A bid whose card is held can be raised by another one. Locks the buyer, and then the former order.
 * Throws 403 `purchase_blocked` after a lost dispute, 409 `already_buying`, `offer_exists`, 429 over the limits,
 * `too_many_offers` for that of holds, 503 `sales_paused`.
 */
export async function placeOffer(trx: Transaction<Database>, offer: NewOffer, config: Config): Promise<PlacedOffer> {
  const { buyerId, wallet, itemId, kind, limitCents, days, sure, termsVersion } = offer
  await lockBuyer(trx, buyerId)
  const starts = await readOfferStarts(trx, buyerId, itemId)
  if (starts.hasLostDispute) throw purchaseBlocked()
  for (const orderId of starts.active) {
    const former = await continueOffer(trx, orderId, offer)
    if (former) return former
  }
  if (starts.isPaused) throw salesPaused()
  refuseExcess(starts, config)

  const id = randomUUID()
  await insertOrder(trx, {
    id,
    orderKind: kind,
    days,
    sure,
    buyerId,
    wallet,
    gift: null,
    network: null,
    termsVersion: termsVersion ?? config.terms.version,
    commissionBps: config.commissionBps,
    lines: [{ id: randomUUID(), itemId, priceCents: limitCents }],
    openForMs: OPEN_FOR_MS,
    startWithinMs: config.startMs,
  })
  return { id, sessionUrl: null, isNew: true }
}

/** Undefined when the order was released since it was selected, or keeps no other one from beginning. */
async function continueOffer(
  trx: Transaction<Database>,
  orderId: string,
  { kind, wallet, limitCents, days }: NewOffer,
): Promise<PlacedOffer | undefined> {
  const order = (await lockOrder(trx, orderId))!
  const lines = await linesOf(trx, orderId)
  if (lines.every(({ state }) => state === 'released')) return undefined
  if (lines.some(isUndecided)) {
    if (kind === 'offer' && order.orderKind === 'offer') throw offerExists(orderId)
    // Of others catalog decides.
    return undefined
  }
  if (order.orderKind === 'purchase' || !lines.every(isUnpaid)) throw alreadyBuying(orderId)
  const isSameKind = order.orderKind === kind && order.days === (days ?? null)
  const isSame = isSameKind && order.totalCents === limitCents && isSameRecipient(order.wallet, wallet)
  if (isSame && order.cancelRequestedBy === null) return { id: orderId, sessionUrl: order.sessionUrl, isNew: false }
  await requestCancellation(trx, orderId, 'buyer')
  return { ending: orderId }
}

const isSameRecipient = (one: string | null, other: string | null) => one?.toLowerCase() === other?.toLowerCase()

/** Limits open pages, starts, holds, and how many cards somebody can try who opens a page after the other. */
function refuseExcess({ open, firstEndsInS, lastHour, hourEndsInS, held, declines }: OfferStarts, { limits }: Config) {
  if (open >= limits.offersOpen) throw tooMany(firstEndsInS)
  if (lastHour >= limits.offersStartedPerHour) throw tooMany(hourEndsInS)
  if (declines >= limits.declinedPerDay) throw tooMany(DAY_S)
  if (held + open >= limits.offersHeld) throw tooManyOffers()
}
