import type { accountChanged, accountDeleted } from '@nifty/events/auth'
import { sql, type Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Account, Database } from '../db.ts'
import { itemsToList, lockItemsOfOwner } from '../items/item.store.ts'
import { listPending, withdraw } from '../items/listing.actions.ts'
import { creatorText } from '../items/search-text.ts'
import { lockAccount, saveAccount } from './account.store.ts'
import { maySell } from './account.ts'

/** Takes what auth says of an account now, unless something newer was heard. */
export async function takeAccount(trx: Transaction<Database>, news: Static<typeof accountChanged.data>) {
  const before = await lockAccount(trx, news.userId)
  if (before.deletedAt !== null || before.version >= news.version) return
  const { userId, version, username, firstName, lastName, avatar, description, admin, suspended } = news
  const wallet = news.wallet?.toLowerCase() ?? null
  const account = { userId, version, username, firstName, lastName, avatar, description, admin, suspended, wallet }
  await change(trx, before, { ...account, deletedAt: null })
}

/** What is personal goes; the row stays, so that nothing that arrives late brings it back. */
export async function eraseAccount(trx: Transaction<Database>, { userId, at }: Static<typeof accountDeleted.data>) {
  const before = await lockAccount(trx, userId)
  if (before.deletedAt !== null) return
  const nobody = { username: null, firstName: '', lastName: '', avatar: null, description: '', wallet: null }
  await change(trx, before, { ...before, ...nobody, admin: false, deletedAt: new Date(at) })
}

async function change(trx: Transaction<Database>, before: Account, account: Account) {
  await saveAccount(trx, account)
  if (creatorText(before) !== creatorText(account)) await renameCreator(trx, account)
  if (maySell(account)) {
    for (const item of await itemsToList(trx, account.userId)) await listPending(trx, item, account)
  } else if (maySell(before)) {
    for (const item of await lockItemsOfOwner(trx, account.userId)) await withdraw(trx, item, 'account')
  }
}

async function renameCreator(trx: Transaction<Database>, account: Account) {
  await sql`
    update item set search_text = ${creatorText(account)} || substr(search_text, position(chr(31) in search_text))
    where creator_id = ${account.userId}`.execute(trx)
}
