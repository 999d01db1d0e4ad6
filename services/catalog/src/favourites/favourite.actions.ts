import { MAX_FAVOURITES } from '@nifty/api/catalog/favourites'
import { conflict, limitReached, notFound } from '@nifty/service-kit/base/errors'
import type { Transaction } from 'kysely'
import { lockCaller } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { findItem } from '../items/item.store.ts'
import { itemNotFound } from '../items/item.ts'
import { countFavourites, deleteFavourite, hasFavourite, insertFavourite, insertFavourites } from './favourite.store.ts'

type Favourite = { userId: string; itemId: string }

/**
 * Idempotent. Throws 404, 409 `item_hidden` and 429 `too_many_favourites`. Locks the account, so that the limit holds.
 */
export async function addFavourite(trx: Transaction<Database>, { userId, itemId }: Favourite) {
  await lockCaller(trx, userId)
  const item = await findItem(trx, itemId)
  if (!item) throw itemNotFound()
  if (item.hiddenAt !== null) throw conflict('item_hidden', 'This work is not shown in the store')
  if (await hasFavourite(trx, userId, itemId)) return
  if ((await countFavourites(trx, userId)) >= MAX_FAVOURITES)
    throw limitReached('too_many_favourites', `You may have at most ${MAX_FAVOURITES} favourites`)
  await insertFavourite(trx, userId, itemId)
}

/** Adds as many of these works as the limit allows, the first ones first. Returns how many were added. */
export async function mergeFavourites(trx: Transaction<Database>, userId: string, itemIds: string[]): Promise<number> {
  await lockCaller(trx, userId)
  const atMost = Math.max(0, MAX_FAVOURITES - (await countFavourites(trx, userId)))
  return insertFavourites(trx, userId, { itemIds, atMost })
}

/** Throws 404 if the work is no favourite of the account. */
export async function removeFavourite(trx: Transaction<Database>, { userId, itemId }: Favourite) {
  if (!(await deleteFavourite(trx, userId, itemId)))
    throw notFound('favourite_not_found', 'This work is none of your favourites')
}
