import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { lockItem, saveItem } from './item.store.ts'
import { hideForOwner, requireOwner, showForOwner } from './item.ts'
import { databaseNow, endSelling } from './listing.actions.ts'

type OwnItem = { itemId: string; userId: string }

/**
 * Hides an own work from the public pages until its owner shows it, or another account owns it. Its offers end.
 * Idempotent.
 */
export async function hideOwnItem(trx: Transaction<Database>, { itemId, userId }: OwnItem) {
  const item = requireOwner(await lockItem(trx, itemId), userId)
  const hidden = hideForOwner(item, await databaseNow(trx))
  await endSelling(trx, hidden, 'hidden')
}

/** Shows an own work again. It is not for sale until its owner lists it. Idempotent. */
export async function showOwnItem(trx: Transaction<Database>, { itemId, userId }: OwnItem) {
  await saveItem(trx, showForOwner(requireOwner(await lockItem(trx, itemId), userId)))
}
