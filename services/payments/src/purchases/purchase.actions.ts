import { randomUUID } from 'node:crypto'
import type { Buyer } from '@nifty/api/internal'
import { conflict, ExpectedError, forbidden, invalid, tooMany, unauthenticated } from '@nifty/service-kit/errors'
import type { ServiceClient } from '@nifty/service-kit/http/internal'
import type { Transaction } from 'kysely'
import type { Config } from '../config.ts'
import type { Database } from '../db.ts'
import { linesOf } from '../orders/line.store.ts'
import { isUnpaid } from '../orders/line.ts'
import { alreadyBuying } from '../orders/order.errors.ts'
import { findOrder } from '../orders/order.store.ts'
import { insertOrder, lockBuyer, ordersUnderWay, startsOf } from './purchase.store.ts'
import { priceChanged, type Wanted } from './purchase.ts'

/** The processor's minimum is 30 minutes; what is left lets a call be repeated. */
const OPEN_FOR_MS = 35 * 60_000
const DAY_S = 86_400

const stillEnding = (orderId: string) =>
  conflict('order_ending', 'Your earlier order is being cancelled, please try again in a moment', {
    details: { orderId },
  })

/** Asks auth who buys, and refuses who may not. */
export async function askBuyer(auth: ServiceClient, userId: string): Promise<Buyer & { wallet: string }> {
  const buyer = await auth<Buyer>('GET', `/internal/buyers/${userId}`).catch((error) => {
    if (error instanceof ExpectedError && error.statusCode === 404) throw unauthenticated()
    throw error
  })
  const { suspended, wallet } = buyer
  if (suspended) throw forbidden('suspended', 'This account is suspended')
  if (!wallet) throw invalid('wallet_required', 'Please connect your Metamask account.')
  return { ...buyer, wallet }
}

export type Placing = { buyer: { userId: string; wallet: string }; wanted: Wanted[]; termsVersion?: string }

/**
 * Stores a purchase as it is wanted, and answers its order. Asked again by the same buyer for the same items, it
 * answers the order that is still open.
 */
export async function placeOrder(
  trx: Transaction<Database>,
  { buyer, wanted, termsVersion }: Placing,
  config: Config,
): Promise<string> {
  const { userId: buyerId, wallet } = buyer
  const itemIds = wanted.map(({ itemId }) => itemId)
  await lockBuyer(trx, buyerId)

  const [own, other] = await ordersUnderWay(trx, buyerId, itemIds)
  if (other) throw alreadyBuying(other)
  if (own) return continueOrder(trx, own, wanted)
  await refuseHoarding(trx, buyerId, itemIds, config)

  const id = randomUUID()
  await insertOrder(trx, {
    id,
    buyerId,
    wallet,
    termsVersion: termsVersion ?? config.termsVersion,
    commissionBps: config.commissionBps,
    lines: wanted.map((line) => ({ id: randomUUID(), ...line })),
    openForMs: OPEN_FOR_MS,
    startWithinMs: config.startMs,
  })
  return id
}

async function continueOrder(trx: Transaction<Database>, orderId: string, wanted: Wanted[]) {
  const order = await findOrder(trx, orderId)
  const lines = await linesOf(trx, orderId)
  const priceOf = new Map(lines.map(({ itemId, priceCents }) => [itemId, priceCents]))
  const sameItems = lines.length === wanted.length && wanted.every(({ itemId }) => priceOf.has(itemId))
  if (!sameItems || !lines.every(isUnpaid)) throw alreadyBuying(orderId)
  if (order?.stop) throw stillEnding(orderId)
  if (wanted.some(({ itemId, priceCents }) => priceOf.get(itemId) !== priceCents)) throw priceChanged()
  return orderId
}

/** Paying buyers are never in the way of these limits; somebody who only holds items is. */
async function refuseHoarding(trx: Transaction<Database>, buyerId: string, itemIds: string[], { limits }: Config) {
  const { open, firstEndsInS, lastHour, hourEndsInS, mostPerItem } = await startsOf(trx, buyerId, itemIds)
  if (open >= limits.openPerBuyer) throw tooMany(firstEndsInS)
  if (lastHour >= limits.startedPerHour) throw tooMany(hourEndsInS)
  if (mostPerItem >= limits.startedPerItemAndDay) throw tooMany(DAY_S)
}
