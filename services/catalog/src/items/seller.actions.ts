import { sql, type Transaction } from 'kysely'
import type { AccountChange } from '../accounts/account.actions.ts'
import { maySell } from '../accounts/account.ts'
import type { Account, Database } from '../db.ts'
import { lockItemsOfOwner, lockItemsToList } from './item.store.ts'
import { listPending, withdraw } from './listing.actions.ts'
import { creatorText } from './search-text.ts'

/** Applies an account's change to its items: the searched name, pending listings, listings it may not keep. */
export async function applyAccountChange(trx: Transaction<Database>, change: AccountChange | undefined) {
  if (!change) return
  const { before, after } = change
  if (!before || creatorText(before) !== creatorText(after)) await updateCreatorText(trx, after)
  if (maySell(after)) {
    for (const item of await lockItemsToList(trx, after.userId)) await listPending(trx, item, after)
  } else if (before && maySell(before)) {
    for (const item of await lockItemsOfOwner(trx, after.userId)) await withdraw(trx, item, 'account')
  }
}

async function updateCreatorText(trx: Transaction<Database>, account: Account) {
  await sql`
    update item set search_text = ${creatorText(account)} || substr(search_text, position(chr(31) in search_text))
    where creator_id = ${account.userId}`.execute(trx)
}
