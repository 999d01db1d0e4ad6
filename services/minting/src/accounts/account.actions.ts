import { upsertNewer } from '@nifty/service-kit/database/projection'
import { sql, type Transaction } from 'kysely'
import type { Database, Row } from '../db.ts'

export type AccountChange = {
  userId: string
  version: number
  username: string
  admin: boolean
  suspended: boolean
  wallet: string | null
  walletProven: boolean
  at: string
}

type Account = Row<'account'>

/** The account before (null when it is new) and after a change. Wallets are in lower case. */
type SavedAccount = { before: Account | null; after: Pick<Account, 'userId' | 'wallet' | 'walletProven'> }

/** Stores the newest version of auth's account; undefined when a newer one is stored, or the account was deleted. */
export async function saveAccount(
  trx: Transaction<Database>,
  change: AccountChange,
): Promise<SavedAccount | undefined> {
  const { userId, version, username, admin, suspended, walletProven, at } = change
  const wallet = change.wallet?.toLowerCase() ?? null
  const row = { userId, version, username, admin, suspended, wallet, walletProven, changedAt: new Date(at) }
  const saved = await upsertNewer<Account>(trx, { table: 'account', key: 'userId', row })
  return saved && { before: saved.before, after: row }
}

/** Erases the copy of an account; no later version restores it. Returns the wallet that was linked. */
export async function deleteAccount(
  trx: Transaction<Database>,
  { userId, handBackHash }: { userId: string; handBackHash: string | null },
): Promise<string[]> {
  const before = await trx.selectFrom('account').selectAll().where('userId', '=', userId).executeTakeFirst()
  const erased = { username: '', admin: false, suspended: true, wallet: null, walletProven: false, handBackHash }
  await trx
    .insertInto('account')
    .values({ ...erased, userId, version: 0, changedAt: sql`now()`, deletedAt: sql`now()` })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ ...erased, deletedAt: sql`now()` }))
    .execute()
  return before?.wallet ? [before.wallet] : []
}
