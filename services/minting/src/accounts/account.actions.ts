import type { Transaction } from 'kysely'
import { lockCursor } from '../chain-index/cursor.store.ts'
import { announceOwners } from '../chain-index/owner.actions.ts'
import type { Database } from '../db.ts'

type AccountChange = {
  userId: string
  version: number
  username: string
  admin: boolean
  suspended: boolean
  wallet: string | null
  walletProven: boolean
  at: string
}

/** Keeps the newest version. A wallet that was proven, or is no longer, changes who owns the tokens in it. */
export async function changeAccount(trx: Transaction<Database>, change: AccountChange, collection: string) {
  const { userId, version, username, admin, suspended, walletProven, at } = change
  const wallet = change.wallet?.toLowerCase() ?? null
  // The index resolves owners under the same lock, so that a token cannot arrive unseen between the two.
  await lockCursor(trx, collection)
  const before = await trx.selectFrom('account').selectAll().where('userId', '=', userId).executeTakeFirst()
  if (before && (before.version >= version || before.deleted)) return

  const account = { userId, version, username, admin, suspended, wallet, walletProven, changedAt: new Date(at) }
  await trx
    .insertInto('account')
    .values(account)
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(account))
    .execute()
  const wallets = [before?.walletProven && before.wallet, walletProven && wallet].filter(
    (one) => typeof one === 'string',
  )
  await announceOwners(trx, wallets)
}

/** Works in custody stay theirs until they are withdrawn; tokens in a wallet are nobody's in the store from now on. */
export async function forgetAccount(trx: Transaction<Database>, userId: string, collection: string) {
  await lockCursor(trx, collection)
  const before = await trx.selectFrom('account').selectAll().where('userId', '=', userId).executeTakeFirst()
  const gone = { username: '', admin: false, suspended: true, wallet: null, walletProven: false, deleted: true }
  await trx
    .insertInto('account')
    .values({ ...gone, userId, version: before?.version ?? 0, changedAt: new Date() })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet(gone))
    .execute()
  const held = await trx.selectFrom('token').select('wallet').where('ownerId', '=', userId).execute()
  const wallets = [...held.map((token) => token.wallet), before?.wallet ?? null].filter((one) => one !== null)
  await announceOwners(trx, [...new Set(wallets)])
}
