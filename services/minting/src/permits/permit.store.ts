import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

type NewPermit = {
  token: string
  ownerId: string
  /** Lower case. */
  wallet: string
  nonce: string
  deadline: Date
  signature: string
}

/** Replaces an older signature. */
export const savePermit = (db: Kysely<Database>, permit: NewPermit) =>
  db
    .insertInto('permit')
    .values(permit)
    .onConflict((conflict) => conflict.column('token').doUpdateSet({ ...permit, createdAt: sql`now()` }))
    .execute()

/** The deadline of the permit of an owner's wallet (lower case), if the chain accepts its nonce. */
export async function findDeadline(
  db: Kysely<Database>,
  { token, ownerId, wallet, nonce }: Pick<NewPermit, 'token' | 'ownerId' | 'nonce'> & { wallet: string | null },
): Promise<Date | undefined> {
  const permit = await db
    .selectFrom('permit')
    .select('deadline')
    .where('token', '=', token)
    .where('ownerId', '=', ownerId)
    .where('wallet', '=', wallet)
    .where('nonce', '=', nonce)
    .executeTakeFirst()
  return permit?.deadline
}

export const removePermit = (trx: Transaction<Database>, token: string) =>
  trx.deleteFrom('permit').where('token', '=', token).execute()

/** Keeps a permit that was submitted after `until`: the event of that time was consumed late. */
export const removePermitUntil = (trx: Transaction<Database>, token: string, until: Date) =>
  trx.deleteFrom('permit').where('token', '=', token).where('createdAt', '<=', until).execute()

/** Removes what an account submitted up to a time. */
export const removePermitsOf = (trx: Transaction<Database>, ownerId: string, until: Date) =>
  trx.deleteFrom('permit').where('ownerId', '=', ownerId).where('createdAt', '<=', until).execute()

/** Removes what an account submitted for another wallet than its present one (lower case). */
export const removePermitsOfOtherWallets = (trx: Transaction<Database>, ownerId: string, wallet: string | null) =>
  trx
    .deleteFrom('permit')
    .where('ownerId', '=', ownerId)
    .where((eb) => (wallet === null ? eb.val(true) : eb('wallet', '<>', wallet)))
    .execute()
