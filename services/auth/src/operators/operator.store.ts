import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { sql, type Transaction } from 'kysely'
import { isExisting } from '../accounts/account.ts'
import type { Database } from '../db.ts'

export type AccountAction =
  | 'grant-admin'
  | 'revoke-admin'
  | 'suspend-account'
  | 'reinstate-account'
  | 'confirm-email'
  | 'unfreeze-account'
  | 'remove-second-factor'

/**
 * Records the action. A trigger on `account` requires the entry: it allows changes of this account's rights until the
 * transaction ends.
 */
export async function recordAccountAction(
  trx: Transaction<Database>,
  { accountId, ...entry }: OperatorReason & { accountId: string; action: AccountAction },
) {
  const id = await recordOperatorAction(trx, { ...entry, subject: accountId })
  await sql`select set_config('auth.audit_entry', ${id}, true)`.execute(trx)
}

export type Rights = { admin: boolean } | { suspended: boolean }

export async function saveRights(trx: Transaction<Database>, id: string, rights: Rights) {
  const changes =
    'admin' in rights ? { admin: rights.admin } : { suspendedAt: rights.suspended ? sql<Date>`now()` : null }
  const account = await trx
    .updateTable('account')
    .set({ ...changes, version: sql<number>`version + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (!isExisting(account)) throw new Error(`account ${id} is deleted`)
  return account
}
