import { MAX_FEATURED } from '@nifty/api/featured-limit'
import { conflict, invalid, notFound } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { findItems } from '../items/item.store.ts'
import { itemNotFound } from '../items/item.ts'
import { nftsByIds, type Shown } from '../items/nft.store.ts'
import { findFeaturedIds, findOnePerArtist, lockFeatured, saveFeatured } from './featured.store.ts'

/**
 * The visible featured works that are for sale; free places go to the newest work for sale of each artist who has none
 * among them. A sold work stays on the list and is shown again once it is for sale.
 */
export async function featuredNfts(db: Kysely<Database>, shown: Shown) {
  const chosen = (await nftsByIds(db, await findFeaturedIds(db), shown)).filter(({ forSale }) => forSale)
  const ids = chosen.map(({ _id }) => _id)
  const others = await findOnePerArtist(db, ids, MAX_FEATURED - ids.length)
  return [...chosen, ...(await nftsByIds(db, others, shown))]
}

/** The list as an operator chose it, with hidden works. */
export async function featuredItems(db: Kysely<Database>) {
  const ids = await findFeaturedIds(db)
  const items = new Map((ids.length > 0 ? await findItems(db, ids) : []).map((item) => [item.id, item]))
  return ids.map((id) => {
    const { name, forSale, hiddenAt } = items.get(id)!
    return { itemId: id, name, forSale, hidden: hiddenAt !== null }
  })
}

/** Replaces the list. Throws 400 `duplicate_item`, 404 for an unknown item, 409 `item_hidden`. */
export async function featureItems(trx: Transaction<Database>, itemIds: string[], operatorReason: OperatorReason) {
  if (new Set(itemIds).size < itemIds.length) throw invalid('duplicate_item', 'A work is named twice')
  await lockFeatured(trx)
  const items = await findItems(trx, itemIds)
  if (items.length < itemIds.length) throw itemNotFound()
  if (items.some(({ hiddenAt }) => hiddenAt !== null))
    throw conflict('item_hidden', 'A hidden work cannot be featured: show it first')
  await saveFeatured(trx, itemIds)
  for (const subject of itemIds) await recordOperatorAction(trx, { action: 'feature-item', subject, ...operatorReason })
}

/** Takes one work off the list. Throws 404 `item_not_featured`. */
export async function unfeatureItem(trx: Transaction<Database>, itemId: string, operatorReason: OperatorReason) {
  const before = await lockFeatured(trx)
  if (!before.includes(itemId)) throw notFound('item_not_featured', 'This work is not featured')
  const left = before.filter((id) => id !== itemId)
  await saveFeatured(trx, left)
  await recordOperatorAction(trx, { action: 'unfeature-item', subject: itemId, ...operatorReason })
}
