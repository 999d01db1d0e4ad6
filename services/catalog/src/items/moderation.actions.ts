import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { lockItem, saveItem } from './item.store.ts'
import { itemNotFound } from './item.ts'
import { endListingFor, withdraw } from './listing.actions.ts'

export type Moderation = { operator: string; reason: string }

/** Hides an item and ends its listing. A reserved item stays with its buyer. */
export async function hideItem(trx: Transaction<Database>, itemId: string, { operator, reason }: Moderation) {
  const item = await lockItem(trx, itemId)
  if (!item) throw itemNotFound()
  const withdrawn = await withdraw(trx, item, 'operator')
  const ended = withdrawn.forSale ? await endListingFor(trx, withdrawn, 'operator') : withdrawn
  const { rows } = await sql<{ now: Date }>`select now()`.execute(trx)
  const hiddenAt = item.hiddenAt ?? rows[0]!.now
  await saveItem(trx, { ...ended, hiddenAt, hiddenOperator: operator, hiddenReason: reason })
}

/** Makes the item visible again. It is not for sale until its owner lists it. */
export async function showItem(trx: Transaction<Database>, itemId: string, { operator, reason }: Moderation) {
  const item = await lockItem(trx, itemId)
  if (!item) throw itemNotFound()
  await saveItem(trx, { ...item, hiddenAt: null, hiddenOperator: operator, hiddenReason: reason })
}
