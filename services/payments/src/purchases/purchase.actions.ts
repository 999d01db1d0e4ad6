import { randomUUID } from 'node:crypto'
import type { Buyer } from '@nifty/api/auth/internal'
import { getBuyer } from '@nifty/api/auth/internal'
import { checkGift } from '@nifty/api/minting/internal'
import type { DeliverTo } from '@nifty/api/payments/public'
import { conflict, ExpectedError, invalid, tooMany, unauthenticated } from '@nifty/service-kit/base/errors'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import type { Kysely, Transaction } from 'kysely'
import type { Config } from '../config.ts'
import type { Database, Order } from '../db.ts'
import { linesOf } from '../orders/line.store.ts'
import { isUnpaid } from '../orders/line.ts'
import {
  accountSuspended,
  alreadyBuying,
  purchaseBlocked,
  salesPaused,
  tooManyReserved,
  tooManyReservedUnconfirmed,
} from '../orders/order.errors.ts'
import { findOrder } from '../orders/order.store.ts'
import { type Gift, tooManyGifts } from './gift.ts'
import {
  insertOrder,
  isBuying,
  lockBuyer,
  lockReservedOfNetwork,
  readStarts,
  type Starts,
  setGift,
} from './purchase.store.ts'
import { type CartItem, priceChanged } from './purchase.ts'

/** The processor's minimum is 30 minutes; the difference leaves time to repeat a failed call. */
export const OPEN_FOR_MS = 35 * 60_000
const DAY_S = 86_400
const GIFTS_PER_DAY = 10

const orderEnding = (orderId: string) =>
  conflict('order_ending', 'Your earlier order is being cancelled, please try again in a moment', {
    details: { orderId },
  })

const orderIsGift = (orderId: string) =>
  conflict(
    'order_is_gift',
    'You are buying this work as a gift already. Please continue that payment, or cancel it first to buy the work for yourself.',
    { details: { orderId } },
  )

/** `wallet` is null for custody. `emailConfirmed` is null where the account is not read yet. */
type Recipient = Pick<Buyer, 'userId' | 'wallet'> & { emailConfirmed: boolean | null }

/** Reads the buyer from auth. Throws 401 without an account, 403 `suspended`, 400 `wallet_required`. */
export async function fetchBuyer(
  auth: ServiceClient,
  { userId, deliverTo }: { userId: string; deliverTo: DeliverTo },
): Promise<Recipient> {
  const buyer = await auth(getBuyer, { params: { id: userId } }).catch((error) => {
    if (error instanceof ExpectedError && error.statusCode === 404) throw unauthenticated()
    throw error
  })
  const { suspended, wallet, emailConfirmed } = buyer
  if (suspended) throw accountSuspended()
  if (deliverTo === 'custody') return { userId, wallet: null, emailConfirmed }
  if (!wallet) throw invalid('wallet_required', 'Please connect your Metamask account.')
  return { userId, wallet, emailConfirmed }
}

/**
 * Throws 429 `too_many_gifts` when minting would mail no more links today, of this giver or to this address. An order
 * of these works that exists is continued.
 */
export async function assertMayGive(
  { db, minting }: { db: Kysely<Database>; minting: ServiceClient },
  { giverId, email, itemIds }: { giverId: string; email: string; itemIds: string[] },
) {
  if (await isBuying(db, giverId, itemIds)) return
  if (!(await minting(checkGift, { body: { giverId, email } })).allowed) throw tooManyGifts()
}

type PlacedOrder = Pick<Order, 'id' | 'sessionUrl'> & { isNew: boolean }

/** `network`: hash of the client's network. */
type NewPurchase = {
  buyer: Recipient
  cart: CartItem[]
  gift?: Gift | null | undefined
  network: string
  termsVersion?: string
}

/**
 * Stores an order; returns its id, and the page of one that exists (`isNew` is false). Idempotent: the same cart of the
 * same buyer returns the order that is still unpaid, if it goes to custody or a wallet alike, without the gift of this
 * request (`changeGift`). Locks the buyer. Throws 403 `purchase_blocked` after a lost dispute, 409 `already_buying`,
 * `order_ending`, `price_changed`, or `order_is_gift` where a purchase for oneself would erase a gift, 429 over the
 * limits, `too_many_reserved` for those of works, `too_many_gifts`, 503 `sales_paused`.
 */
export async function placeOrder(
  trx: Transaction<Database>,
  { buyer, cart, gift, network, termsVersion }: NewPurchase,
  config: Config,
): Promise<PlacedOrder> {
  const { userId: buyerId, wallet } = buyer
  const itemIds = cart.map(({ itemId }) => itemId)
  await lockBuyer(trx, buyerId)

  const starts = await readStarts(trx, buyerId, itemIds)
  if (starts.hasLostDispute) throw purchaseBlocked()
  const [own, other] = starts.active
  if (other) throw alreadyBuying(other)
  const continued = own && (await continueOrder(trx, own, { cart, wallet, gift }))
  if (continued) return continued
  // The buyer's own order was released since it was read.
  const counted = own ? await readStarts(trx, buyerId, itemIds) : starts
  if (counted.isPaused) throw salesPaused()
  refuseExcessOrders(counted, config)
  if (gift && counted.gifts >= GIFTS_PER_DAY) throw tooManyGifts()
  const ofBuyer = counted.reserved + cart.length
  if (buyer.emailConfirmed === false && ofBuyer > config.limits.reservedUnconfirmed) throw tooManyReservedUnconfirmed()
  const ofNetwork = (await lockReservedOfNetwork(trx, network)) + cart.length
  if (ofBuyer > config.limits.reservedPerBuyer || ofNetwork > config.limits.reservedPerNetwork) throw tooManyReserved()

  const id = randomUUID()
  await insertOrder(trx, {
    id,
    orderKind: 'purchase',
    buyerId,
    wallet,
    gift: gift ?? null,
    network,
    termsVersion: termsVersion ?? config.terms.version,
    commissionBps: config.commissionBps,
    lines: cart.map((line) => ({ id: randomUUID(), ...line })),
    openForMs: OPEN_FOR_MS,
    startWithinMs: config.startMs,
  })
  return { id, sessionUrl: null, isNew: true }
}

/** Undefined when the order was released since it was selected: a step under way has its lock. */
async function continueOrder(
  trx: Transaction<Database>,
  orderId: string,
  { cart, wallet, gift }: { cart: CartItem[]; wallet: string | null; gift: Gift | null | undefined },
): Promise<PlacedOrder | undefined> {
  const order = await findOrder(trx, orderId)
  const lines = await linesOf(trx, orderId)
  if (lines.every(({ state }) => state === 'released')) return undefined
  const priceOf = new Map(lines.map(({ itemId, priceCents }) => [itemId, priceCents]))
  const sameItems = lines.length === cart.length && cart.every(({ itemId }) => priceOf.has(itemId))
  const sameRecipient = (order?.wallet === null) === (wallet === null)
  if (!sameItems || !sameRecipient || !lines.every(isUnpaid)) throw alreadyBuying(orderId)
  if (order?.cancelRequestedBy) throw orderEnding(orderId)
  if (cart.some(({ itemId, priceCents }) => priceOf.get(itemId) !== priceCents)) throw priceChanged()
  if (gift === null && order?.isGift) throw orderIsGift(orderId)
  return { id: orderId, sessionUrl: order?.sessionUrl ?? null, isNew: false }
}

/**
 * For whom a continued order is. After its page was polled, so that a purchase that is refused changes nothing. Throws
 * 409 `already_buying` once it is paid.
 */
export async function changeGift(db: Kysely<Database>, orderId: string, gift: Gift) {
  if (!(await setGift(db, orderId, gift))) throw alreadyBuying(orderId)
}

/**
 * Limits how many items a buyer can block without paying: unpaid orders, orders per hour, orders per item and day. And
 * how many cards somebody can try who opens a page after the other: declines per day.
 */
function refuseExcessOrders(starts: Starts, { limits }: Config) {
  const { open, firstEndsInS, lastHour, attempts, hourEndsInS, mostPerItem, declines } = starts
  if (open >= limits.openPerBuyer) throw tooMany(firstEndsInS)
  if (lastHour >= limits.startedPerHour || attempts >= limits.attemptedPerHour) throw tooMany(hourEndsInS)
  if (mostPerItem >= limits.startedPerItemAndDay || declines >= limits.declinedPerDay) throw tooMany(DAY_S)
}
