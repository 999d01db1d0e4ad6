import type { tokenMinted, tokenMoved } from '@nifty/events/minting'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import { lockAccount } from '../accounts/account.store.ts'
import { addCreator, incrementCreatorCount } from '../accounts/creator.store.ts'
import type { Database, Item } from '../db.ts'
import { lockHolding, saveHolding } from './holding.store.ts'
import { lockItemOfToken, saveItem } from './item.store.ts'
import { showForOwner } from './item.ts'
import { recordHistory } from './item-history.store.ts'
import { addItemText } from './item-text.store.ts'
import { endSelling, listPending } from './listing.actions.ts'
import { colorName, orientationOf } from './picture.ts'
import { isPrice } from './price.ts'

/** Adds a minted item. Its owner is already stored if the token's move was consumed before its mint. */
export async function addItem(trx: Transaction<Database>, minted: Static<typeof tokenMinted.data>) {
  const creator = await lockAccount(trx, minted.creatorId)
  const holding = await lockHolding(trx, minted.token)

  const { token, contract, identifier, creatorId, name, description, category, royaltyBps, at, txHash } = minted
  const { path: image, width, height, color } = minted.picture
  // A mint's price outside the limits is dropped: the owner has to set another one.
  const hasPrice = isPrice(minted.priceCents)
  const item = await trx
    .insertInto('item')
    .values({
      id: minted.itemId,
      token,
      contract,
      identifier,
      creatorId,
      name,
      description,
      category,
      colorName: colorName(color),
      orientation: orientationOf(minted.picture),
      image,
      width,
      height,
      color,
      royaltyBps,
      mintedAt: at,
      shownAt: at,
      ownerId: holding?.ownerId ?? null,
      wallet: holding?.wallet ?? null,
      priceCents: hasPrice ? minted.priceCents : null,
      listWhenOwned: hasPrice && (holding === undefined || holding.ownerId === creatorId),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (!item) return
  await addItemText(trx, item, creator)
  const custody = holding?.txHash === txHash ? custodyChange(undefined, holding) : null
  await recordHistory(trx, { itemId: item.id, what: 'minted', happenedAt: at, userId: creatorId, txHash, custody })
  await listPending(trx, item, creator)
  await incrementCreatorCount(trx, creatorId, 'works')
  if (item.ownerId !== null && item.ownerId !== creatorId) await addCreator(trx, item.ownerId)
}

/**
 * Makes the chain's owner the item's owner; a move older than the stored one is ignored. Every transfer ends the
 * listing and the offers: it voids the permit, and a new owner has not listed the item.
 */
export async function moveItem(trx: Transaction<Database>, moved: Static<typeof tokenMoved.data>) {
  const { token, ownerId, position, txHash, at } = moved
  const wallet = moved.wallet?.toLowerCase() ?? null
  const owner = ownerId ? await lockAccount(trx, ownerId) : undefined
  if (!(await saveHolding(trx, { token, ownerId, wallet, position, txHash, movedAt: at }))) return
  const before = await lockItemOfToken(trx, token)
  if (!before) return

  const isFirstMove = before.ownerId === null && ownerId === before.creatorId
  const isSold = ownerId !== null && ownerId === before.reservedBy
  const ended =
    before.ownerId === ownerId && wallet === null ? before : await endSelling(trx, before, isSold ? 'sold' : 'moved')
  const seen = before.ownerId === ownerId ? ended : showForOwner(ended)
  const item: Item = {
    ...seen,
    ownerId,
    wallet,
    listWhenOwned: before.listWhenOwned && isFirstMove,
    priceCents: !isSold && isGiven(before, { ownerId, wallet }) ? null : seen.priceCents,
  }
  await saveItem(trx, item)
  const custody = custodyChange(before, item)
  await recordHistory(trx, { itemId: item.id, what: 'moved', happenedAt: at, userId: ownerId, txHash, custody })
  await listPending(trx, item, owner)
  if (ownerId !== null && ownerId !== before.ownerId) await addCreator(trx, ownerId)
}

type Holder = Pick<Item, 'ownerId' | 'wallet'>

/** Without a sale, works in custody change their owner by gifts. What a gift cost is not shown as its price. */
const isGiven = (before: Holder, after: Holder) =>
  before.wallet === null &&
  after.wallet === null &&
  before.ownerId !== null &&
  after.ownerId !== null &&
  before.ownerId !== after.ownerId

/** An owner without a wallet has the token in custody. */
function custodyChange(before: Holder | undefined, after: Holder): 'in' | 'out' | null {
  if (after.ownerId === null) return null
  if (after.wallet === null) return 'in'
  return before?.ownerId === after.ownerId && before.wallet === null ? 'out' : null
}
