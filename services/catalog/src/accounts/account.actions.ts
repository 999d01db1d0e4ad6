import type { accountChanged, accountDeleted } from '@nifty/events/auth'
import { upsertNewer } from '@nifty/service-kit/database/projection'
import type { Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Account, Database } from '../db.ts'
import { lockAccount, saveAccount } from './account.store.ts'

/**
 * An account before (null: new) and after an event. `isFrozen`: suspended by its owner's freeze alone. The row stays
 * locked until the transaction ends.
 */
export type AccountChange = { before: Account | null; after: Account; isFrozen: boolean }

/** Stores the account of the event. Returns nothing for an older version and for a deleted account. */
export async function updateAccount(
  trx: Transaction<Database>,
  data: Static<typeof accountChanged.data>,
): Promise<AccountChange | undefined> {
  const { userId, version, username, firstName, lastName, avatar, description, admin, suspended } = data
  const wallet = data.wallet?.toLowerCase() ?? null
  const row = { userId, version, username, firstName, lastName, avatar, description, admin, suspended, wallet }
  const stored = await upsertNewer<Account>(trx, { table: 'account', key: 'userId', row })
  return stored && { before: stored.before, after: { ...row, deletedAt: null }, isFrozen: data.frozen === true }
}

/**
 * Erases personal data, also series, favourites, follows, followers and the hashes of cards. The row stays as a
 * tombstone, so that a late event cannot restore the account.
 */
export async function eraseAccount(
  trx: Transaction<Database>,
  { userId, at }: Static<typeof accountDeleted.data>,
): Promise<AccountChange | undefined> {
  const before = await lockAccount(trx, userId)
  if (before.deletedAt !== null) return undefined
  const erased = { username: null, firstName: '', lastName: '', avatar: null, description: '', wallet: null }
  const after = { ...before, ...erased, admin: false, deletedAt: new Date(at) }
  await saveAccount(trx, after)
  await trx.deleteFrom('favourite').where('userId', '=', userId).execute()
  await trx.deleteFrom('exhibition').where('artistId', '=', userId).execute()
  await trx.deleteFrom('accountCard').where('userId', '=', userId).execute()
  await trx
    .deleteFrom('follow')
    .where((eb) => eb.or([eb('userId', '=', userId), eb('artistId', '=', userId)]))
    .execute()
  return { before, after, isFrozen: false }
}
