import type { Deliverable, Reservation, ReservedLine } from '@nifty/api/internal'
import { itemDelisted } from '@nifty/events/catalog'
import type { deliveryFinal } from '@nifty/events/minting'
import type { orderLineReleased } from '@nifty/events/payments'
import { conflict, type ExpectedError } from '@nifty/service-kit/errors'
import type { ServiceClient } from '@nifty/service-kit/http/internal'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { Kysely, Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Account, Database, Item } from '../db.ts'
import { countFor } from '../market/creators.store.ts'
import { findItems, lockItem, lockItems, recordPast, saveItem } from './item.store.ts'
import { endListing } from './item.ts'
import { endListingFor, itemNotFound } from './listing.actions.ts'
import { findAccounts, findReservation, lockReservation, markReleased, saveLines } from './reservation.store.ts'
import { notForSale, release, reserve } from './reservation.ts'

type Answer = { lines: ReservedLine[] }
type Asked = Awaited<ReturnType<typeof findReservation>>

/** What this order was answered before; undefined when it never was. An order that is over gets nothing any more. */
function answeredBefore(asked: Asked, { buyerId, items }: Reservation): Answer | undefined {
  if (asked?.releasedAt) throw conflict('order_over', 'This order is over')
  if (!asked?.lines) return undefined
  const wanted = new Map(items.map(({ itemId, priceCents }) => [itemId, priceCents]))
  const same =
    asked.lines.length === wanted.size && asked.lines.every((line) => wanted.get(line.itemId) === line.priceCents)
  if (!same || asked.buyerId !== buyerId) throw conflict('order_differs', 'This order was for something else')
  return { lines: asked.lines }
}

/** All lines, or the refusal of the first that cannot be had. */
function decide(items: Item[], sellers: Map<string, Account>, order: Reservation): Item[] {
  const byId = new Map(items.map((item) => [item.id, item]))
  const { orderId, buyerId } = order
  const until = new Date(order.until)
  return order.items.map(({ itemId, priceCents }) => {
    const item = byId.get(itemId)
    if (!item || item.hiddenAt !== null) throw itemNotFound()
    const purchase = { orderId, buyerId, buyerWallet: order.buyerWallet.toLowerCase(), priceCents, until }
    return reserve(item, sellers.get(item.ownerId ?? ''), purchase)
  })
}

/**
 * Holds every item of an order, or none. The chain is asked before anything is locked, and only about what could be
 * sold; the answer counts again when minting signs.
 */
export async function reserveItems(
  { db, minting }: { db: Kysely<Database>; minting: ServiceClient },
  order: Reservation,
): Promise<Answer> {
  const before = answeredBefore(await findReservation(db, order.orderId), order)
  if (before) return before
  const items = await findItems(
    db,
    order.items.map(({ itemId }) => itemId),
  )
  decide(
    items,
    await findAccounts(
      db,
      items.map(({ ownerId }) => ownerId),
    ),
    order,
  )
  await requireDelivery({ db, minting }, items, order.buyerWallet)
  return inTransaction(db, (trx) => reserveChecked(trx, order))
}

/** The part under locks: the order, then its items in the order of their ids. */
export async function reserveChecked(trx: Transaction<Database>, order: Reservation): Promise<Answer> {
  const before = answeredBefore(await lockReservation(trx, order.orderId), order)
  if (before) return before
  const items = await lockItems(
    trx,
    order.items.map(({ itemId }) => itemId),
  )
  const sellers = await findAccounts(
    trx,
    items.map(({ ownerId }) => ownerId),
  )
  const reserved = decide(items, sellers, order)
  for (const item of reserved) await saveItem(trx, item)
  const lines = reserved.map((item) => lineOf(item, sellers.get(item.ownerId!)!))
  await saveLines(trx, { orderId: order.orderId, buyerId: order.buyerId, lines })
  return { lines }
}

const lineOf = (item: Item, seller: Account): ReservedLine => ({
  itemId: item.id,
  contract: item.contract,
  identifier: item.identifier,
  name: item.name,
  image: item.image,
  category: item.category,
  sellerId: item.ownerId!,
  sellerUsername: seller.username ?? '',
  creatorId: item.creatorId,
  royaltyBps: item.royaltyBps,
  priceCents: item.priceCents!,
  listingVersion: item.listingVersion,
})

/** Codes that speak of the item, not of the buyer: it cannot be sold to anybody, so it leaves the market. */
const itemsFault = new Set(['not_owner', 'permit_required', 'unknown_token'])

async function requireDelivery(
  { db, minting }: { db: Kysely<Database>; minting: ServiceClient },
  items: Item[],
  buyerWallet: string,
) {
  const tokens = items.map(({ token, ownerId }) => ({ token, ownerId }))
  const answer = await minting<Deliverable>('POST', '/internal/deliverable', { to: buyerWallet, tokens })
  const refused = new Map(answer.tokens.filter((token) => !token.deliverable).map(({ token, code }) => [token, code]))
  if (refused.size === 0 && answer.tokens.length >= items.length) return
  let refusal: ExpectedError = notForSale()
  for (const item of items) {
    const code = refused.get(item.token)
    if (code && itemsFault.has(code)) await inTransaction(db, (trx) => delistUndeliverable(trx, item))
    else if (code === 'recipient_refuses')
      refusal = conflict('recipient_refuses', 'Your wallet cannot receive this item')
  }
  throw refusal
}

/** Unless it was listed anew meanwhile, or moved, or somebody's payment for it is under way. */
async function delistUndeliverable(trx: Transaction<Database>, { id, listingVersion, wallet }: Item) {
  const item = await lockItem(trx, id)
  if (!item || item.listingVersion !== listingVersion || item.wallet !== wallet || item.reservedOrder !== null) return
  await endListingFor(trx, item, 'undeliverable')
}

/** Nobody was charged: the item is free again, and the order never gets one any more. */
export async function releaseOrder(
  trx: Transaction<Database>,
  released: Pick<Static<typeof orderLineReleased.data>, 'orderId' | 'itemId' | 'at'>,
) {
  await lockReservation(trx, released.orderId)
  await markReleased(trx, released.orderId)
  const item = await lockItem(trx, released.itemId)
  if (item?.reservedOrder !== released.orderId) return
  const free = release(item)
  await saveItem(trx, free)
  const { id: itemId, token } = item
  if (item.forSale && !free.forSale)
    await publishEvent(trx, itemDelisted, { itemId, token, reason: 'owner', at: released.at })
}

/** The buyer has it: the reservation is closed. Who owns it now is for `token-moved` to say. */
export async function closeSale(trx: Transaction<Database>, final: Static<typeof deliveryFinal.data>) {
  const item = await lockItem(trx, final.itemId)
  if (item?.reservedOrder !== final.orderId) return
  const { id: itemId, token, reservedSeller, reservedCents } = item
  const free = release(item)
  // A new owner who was heard of first may have listed it already: that listing is not the one that was sold.
  const after = item.ownerId === reservedSeller ? endListing(free) : free
  await saveItem(trx, after)
  if (item.forSale && !after.forSale)
    await publishEvent(trx, itemDelisted, { itemId, token, reason: 'sold', at: final.at })
  await recordPast(trx, {
    ...{ itemId, what: 'sold', happenedAt: final.at, userId: final.buyerId },
    ...{ priceCents: reservedCents!, txHash: final.txHash },
  })
  await countFor(trx, reservedSeller!, 'sales')
}
