import { itemHidden } from '@nifty/events/catalog'
import { conflict } from '@nifty/service-kit/base/errors'
import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import type { Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { lockItem, saveItem } from './item.store.ts'
import { itemNotFound } from './item.ts'
import { databaseNow, endSelling, stopSelling } from './listing.actions.ts'

/**
 * Hides an item and ends its listing and offers; its owner gets a mail with the reason. A reserved item stays reserved.
 */
export async function hideItem(trx: Transaction<Database>, itemId: string, operatorReason: OperatorReason) {
  const item = await lockItem(trx, itemId)
  if (!item) throw itemNotFound()
  const stopped = await stopSelling(trx, item, 'hidden')
  const ended = stopped.forSale ? await endSelling(trx, stopped, 'hidden') : stopped
  const now = await databaseNow(trx)
  const { reason } = operatorReason
  await saveItem(trx, { ...ended, hiddenAt: item.hiddenAt ?? now, hiddenBy: 'operator', hiddenReason: reason })
  const { ownerId: userId, name } = item
  if (item.hiddenBy !== 'operator' && userId !== null)
    await publishEvent(trx, itemHidden, { itemId, userId, name, reason, at: now.toISOString() })
  await recordOperatorAction(trx, { action: 'hide-item', subject: itemId, ...operatorReason })
}

/** Makes the item visible again. It is not for sale until its owner lists it. Throws 409 when its owner hides it. */
export async function showItem(trx: Transaction<Database>, itemId: string, operatorReason: OperatorReason) {
  const item = await lockItem(trx, itemId)
  if (!item) throw itemNotFound()
  if (item.hiddenBy === 'owner') throw conflict('hidden_by_owner', 'The owner hides this work')
  await saveItem(trx, { ...item, hiddenAt: null, hiddenBy: null, hiddenReason: null })
  await recordOperatorAction(trx, { action: 'show-item', subject: itemId, ...operatorReason })
}
