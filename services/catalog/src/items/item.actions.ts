import { ownerChanged } from '@nifty/events/catalog'
import type { tokenMinted, tokenMoved } from '@nifty/events/minting'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { type Insertable, sql, type Transaction } from 'kysely'
import type { Static } from 'typebox'
import { lockAccount } from '../accounts/account.store.ts'
import type { Database, Item } from '../db.ts'
import { countFor } from '../market/creators.store.ts'
import { lockItem, lockItemOfToken, recordPast, saveItem } from './item.store.ts'
import { endListingFor, itemNotFound, listPending, withdraw } from './listing.actions.ts'
import { searchText } from './search-text.ts'

/** Also said of the price that a mint may ask: anything else waits for its owner to set one. */
const isPrice = (cents: number | null) => cents !== null && cents >= 50 && cents <= 99_999_999

/** A new work. Its token may have moved already, as far as this service heard. */
export async function addItem(trx: Transaction<Database>, minted: Static<typeof tokenMinted.data>) {
  const creator = await lockAccount(trx, minted.creatorId)
  const holding = await lockHolding(trx, minted.token)

  const { token, contract, identifier, creatorId, name, description, category, royaltyBps, at, txHash } = minted
  const { path: image, width, height, color } = minted.picture
  const wanted = isPrice(minted.priceCents)
  const item = await trx
    .insertInto('item')
    .values({
      ...{ id: minted.itemId, token, contract, identifier, creatorId, name, description, category },
      ...{ image, width, height, color, royaltyBps, mintedAt: at, shownAt: at },
      ownerId: holding?.ownerId ?? null,
      wallet: holding?.wallet ?? null,
      priceCents: wanted ? minted.priceCents : null,
      listWhenOwned: wanted && (holding === undefined || holding.ownerId === creatorId),
      searchText: searchText(creator, minted),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!item) return
  await recordPast(trx, { itemId: item.id, what: 'minted', happenedAt: at, userId: creatorId, txHash })
  await listPending(trx, item, creator)
  await countFor(trx, creatorId, 'works')
}

function lockHolding(trx: Transaction<Database>, token: string) {
  return trx.selectFrom('holding').selectAll().where('token', '=', token).forUpdate().executeTakeFirst()
}

/**
 * Makes the chain's owner the owner. An older word than the last is ignored. Every transfer ends the listing: it voids
 * the permit, and a new owner has listed nothing.
 */
export async function moveToken(trx: Transaction<Database>, moved: Static<typeof tokenMoved.data>) {
  const { token, ownerId, position, txHash, at } = moved
  const wallet = moved.wallet?.toLowerCase() ?? null
  const owner = ownerId ? await lockAccount(trx, ownerId) : undefined
  if (!(await saveHolding(trx, { token, ownerId, wallet, position, txHash, movedAt: at }))) return
  const before = await lockItemOfToken(trx, token)
  if (!before) return

  const arrives = before.ownerId === null && ownerId === before.creatorId
  const ended =
    before.ownerId === ownerId && wallet === null
      ? before
      : await endListingFor(trx, before, ownerId !== null && ownerId === before.reservedBy ? 'sold' : 'undeliverable')
  const item: Item = { ...ended, ownerId, wallet, listWhenOwned: before.listWhenOwned && arrives }
  await saveItem(trx, item)
  await recordPast(trx, { itemId: item.id, what: 'moved', happenedAt: at, userId: ownerId, txHash })
  if (before.ownerId !== ownerId) await publishEvent(trx, ownerChanged, { itemId: item.id, token, ownerId, at })
  await listPending(trx, item, owner)
}

async function saveHolding(trx: Transaction<Database>, holding: Insertable<Database['holding']>) {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('holding')
    .values(holding)
    .onConflict((conflict) =>
      conflict.column('token').doUpdateSet(holding).where('holding.position', '<', holding.position),
    )
    .executeTakeFirstOrThrow()
  return Boolean(numInsertedOrUpdatedRows)
}

/** The operator takes an item out of sight, and says who and why. Somebody who is paying is not robbed of the item. */
export async function hideItem(trx: Transaction<Database>, itemId: string, { by, why }: { by: string; why: string }) {
  const item = await lockItem(trx, itemId)
  if (!item) throw itemNotFound()
  const withdrawn = await withdraw(trx, item, 'operator')
  const off = withdrawn.forSale ? await endListingFor(trx, withdrawn, 'operator') : withdrawn
  const { rows } = await sql<{ now: Date }>`select now()`.execute(trx)
  await saveItem(trx, { ...off, hiddenAt: item.hiddenAt ?? rows[0]!.now, hiddenBy: by, hiddenWhy: why })
}

/** Visible again, and not for sale until its owner lists it. */
export async function showItem(trx: Transaction<Database>, itemId: string, { by, why }: { by: string; why: string }) {
  const item = await lockItem(trx, itemId)
  if (!item) throw itemNotFound()
  await saveItem(trx, { ...item, hiddenAt: null, hiddenBy: by, hiddenWhy: why })
}
