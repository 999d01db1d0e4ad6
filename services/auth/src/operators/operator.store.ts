import { sql, type Transaction } from 'kysely'
import { isLiving } from '../accounts/account.ts'
import type { Database, OperatorActionName } from '../db.ts'

/** Keeps who did what and why. Until the transaction ends, the database lets this account's rights be changed. */
export async function recordOperatorAction(
  trx: Transaction<Database>,
  record: { accountId: string; action: OperatorActionName; by: string; why: string },
) {
  const { id } = await trx.insertInto('operatorAction').values(record).returning('id').executeTakeFirstOrThrow()
  await sql`select set_config('auth.operator_action', ${id}, true)`.execute(trx)
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
  if (!isLiving(account)) throw new Error(`account ${id} is deleted`)
  return account
}
