import { type OperatorReason, recordOperatorAction } from '@nifty/service-kit/database/operator-audit'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export type AccountAction =
  | 'grant-admin'
  | 'revoke-admin'
  | 'decline-application'
  | 'suspend-account'
  | 'reinstate-account'
  | 'confirm-email'
  | 'unfreeze-account'
  | 'remove-second-factor'
  | 'correct-email'
  | 'remove-from-profile'
  | 'delete-account'

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
