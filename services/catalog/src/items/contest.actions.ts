import type { orderLineContested } from '@nifty/events/payments'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import { saveContestedLine } from './contested-line.store.ts'
import { lockItem } from './item.store.ts'
import { withdraw } from './listing.actions.ts'

/**
 * The bank contests the payment of a line: the item is not listed while its buyer owns it, and its listing ends. A sale
 * that is paid already continues. Locks the item.
 */
export async function contestItem(trx: Transaction<Database>, line: Static<typeof orderLineContested.data>) {
  const { lineId, itemId, buyerId, at } = line
  const item = await lockItem(trx, itemId)
  if (!(await saveContestedLine(trx, { lineId, itemId, buyerId, contested: true, at }))) return
  if (item?.ownerId === buyerId && item.forSale) await withdraw(trx, item, 'account')
}

/** The owner may list the item again. */
export async function clearItem(trx: Transaction<Database>, line: Static<typeof orderLineContested.data>) {
  const { lineId, itemId, buyerId, at } = line
  await saveContestedLine(trx, { lineId, itemId, buyerId, contested: false, at })
}
