import type { Deliverable } from '@nifty/api/internal'
import { delistRequested, itemDelisted, itemListed } from '@nifty/events/catalog'
import { conflict, notFound } from '@nifty/service-kit/errors'
import type { ServiceClient } from '@nifty/service-kit/http/internal'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { sql, type Transaction } from 'kysely'
import { lockAccountForReading } from '../accounts/account.store.ts'
import { maySell, requireSeller } from '../accounts/account.ts'
import type { Account, Database, Item } from '../db.ts'
import { lockItem, recordPast, saveItem } from './item.store.ts'
import { delist, endListing, list, notYourItem } from './item.ts'

export const itemNotFound = () => notFound('item_not_found', 'NFT not found')

export type DelistReason = 'owner' | 'sold' | 'undeliverable' | 'account' | 'operator'

/** The moment of the database: replicas whose clocks differ agree on the order of the market. */
async function moment(trx: Transaction<Database>) {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(trx)
  return rows[0]!.now
}

async function put(trx: Transaction<Database>, item: Item, priceCents: number): Promise<Item> {
  const now = await moment(trx)
  const listed = list(item, { priceCents, now })
  await saveItem(trx, listed)
  const { id: itemId, token, listingVersion } = listed
  const at = now.toISOString()
  await recordPast(trx, { itemId, what: 'listed', happenedAt: at, userId: item.ownerId, priceCents })
  await publishEvent(trx, itemListed, { itemId, token, sellerId: item.ownerId!, priceCents, listingVersion, at })
  return listed
}

export type Offer = { itemId: string; userId: string; priceCents: number }

/** Refuses anybody but the owner, and an owner who may not sell. */
export function requireOwner(item: Item | undefined, account: Account | undefined, userId: string): Item {
  if (!item || item.hiddenAt !== null) throw itemNotFound()
  if (item.ownerId !== userId) throw notYourItem()
  requireSeller(account)
  return item
}

/** `checked` is the item as it was when minting said that the chain would deliver it. */
export async function setPrice(trx: Transaction<Database>, { itemId, userId, priceCents }: Offer, checked: Item) {
  const account = await lockAccountForReading(trx, userId)
  const item = requireOwner(await lockItem(trx, itemId), account, userId)
  if (item.wallet !== checked.wallet) throw conflict('item_moved', 'The item has just moved, please reload')
  return put(trx, item, priceCents)
}

/** The listing that a mint asked for, once its owner is known. Custody can always deliver. */
export async function listPending(trx: Transaction<Database>, item: Item, account: Account | undefined) {
  const { listWhenOwned, ownerId, wallet, hiddenAt, priceCents } = item
  if (!listWhenOwned || wallet !== null || hiddenAt !== null || priceCents === null) return
  if (ownerId === null || ownerId !== account?.userId || !maySell(account)) return
  await put(trx, item, priceCents)
}

/** Asked again, or for an item that is not listed, it changes nothing. */
export async function removeFromSale(trx: Transaction<Database>, { itemId, userId }: Omit<Offer, 'priceCents'>) {
  const account = await lockAccountForReading(trx, userId)
  const item = requireOwner(await lockItem(trx, itemId), account, userId)
  return withdraw(trx, item, 'owner')
}

/** Off the market now, or, while somebody is paying, as soon as payments could expire the session. */
export async function withdraw(trx: Transaction<Database>, item: Item, reason: DelistReason): Promise<Item> {
  const after = delist(item)
  await saveItem(trx, after)
  const { id: itemId, token, reservedOrder } = item
  const at = (await moment(trx)).toISOString()
  if (after.delistRequested && !item.delistRequested)
    await publishEvent(trx, delistRequested, { itemId, orderId: reservedOrder!, at })
  if (item.forSale && !after.forSale) await publishEvent(trx, itemDelisted, { itemId, token, reason, at })
  return after
}

/** Off the market whatever somebody is paying: the chain, or the operator, has decided. */
export async function endListingFor(trx: Transaction<Database>, item: Item, reason: DelistReason): Promise<Item> {
  const after = endListing(item)
  await saveItem(trx, after)
  const at = (await moment(trx)).toISOString()
  if (item.forSale) await publishEvent(trx, itemDelisted, { itemId: item.id, token: item.token, reason, at })
  return after
}

/** Asks the chain, before anything is locked, whether the item could be delivered if it were sold. */
export async function requireDeliverable(minting: ServiceClient, { token, ownerId }: Item) {
  const { tokens } = await minting<Deliverable>('POST', '/internal/deliverable', { tokens: [{ token, ownerId }] })
  const answer = tokens.find((entry) => entry.token === token)
  if (answer?.deliverable) return
  if (answer?.code === 'permit_required')
    throw conflict('permit_required', 'Please sign a permit, so that the store may deliver this item once it is sold', {
      details: answer.permit === undefined ? {} : { typedData: answer.permit },
    })
  throw conflict(answer?.code ?? 'undeliverable', 'This item cannot be delivered at the moment')
}
