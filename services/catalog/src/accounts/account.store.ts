import type { Transaction } from 'kysely'
import type { Account, Database } from '../db.ts'

/**
 * Keeps an account as it is until the transaction ends. Always taken before the locks of items, so that "may sell"
 * cannot change between the decision and the listing, and nobody waits in a circle.
 */
export function lockAccountForReading(trx: Transaction<Database>, userId: string): Promise<Account | undefined> {
  return trx.selectFrom('account').selectAll().where('userId', '=', userId).forShare().executeTakeFirst()
}

/** The row to write to, made if nobody spoke of the account before. */
export async function lockAccount(trx: Transaction<Database>, userId: string): Promise<Account> {
  await trx
    .insertInto('account')
    .values({ userId })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return trx.selectFrom('account').selectAll().where('userId', '=', userId).forUpdate().executeTakeFirstOrThrow()
}

export async function saveAccount(trx: Transaction<Database>, account: Account) {
  await trx.updateTable('account').set(account).where('userId', '=', account.userId).execute()
}
