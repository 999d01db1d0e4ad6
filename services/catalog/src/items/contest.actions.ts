import type { tokenContested } from '@nifty/events/minting'
import type { orderLineContested } from '@nifty/events/payments'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../db.ts'
import { saveContestedLine } from './contested-line.store.ts'
import { lockItem, lockItemOfToken } from './item.store.ts'
import { stopSelling } from './listing.actions.ts'

/**
 * The bank contests the payment of a line: the item is not sold while its buyer owns it, and its listing and offers
 * end. A sale that is paid already continues. Locks the item.
 */
export async function contestItem(trx: Transaction<Database>, line: Static<typeof orderLineContested.data>) {
  const { lineId, itemId, buyerId, at } = line
  const item = await lockItem(trx, itemId)
  if (!(await saveContestedLine(trx, { lineId, itemId, buyerId, contested: true, at }))) return
  if (item?.ownerId === buyerId) await stopSelling(trx, item, 'account')
}

/** The same where minting knows that it concerns the owner, who may have the token as a gift. Locks the item. */
export async function endContestedListing(
  trx: Transaction<Database>,
  { token, ownerId }: Static<typeof tokenContested.data>,
) {
  const item = await lockItemOfToken(trx, token)
  if (item?.ownerId === ownerId) await stopSelling(trx, item, 'account')
}

/** The owner may list the item again. */
export async function clearItem(trx: Transaction<Database>, line: Static<typeof orderLineContested.data>) {
  const { lineId, itemId, buyerId, at } = line
  await saveContestedLine(trx, { lineId, itemId, buyerId, contested: false, at })
}
