import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export const CHALLENGE_LIFETIME_S = 5 * 60

export async function findWalletHolder(db: Kysely<Database>, address: string) {
  const holder = await db
    .selectFrom('account')
    .select('id')
    .where('walletKey', '=', address.toLowerCase())
    .executeTakeFirst()
  return holder?.id
}

/** One challenge per account: a new one replaces it. */
export async function saveChallenge(
  trx: Transaction<Database>,
  { accountId, address, message }: { accountId: string; address: string; message: string },
) {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${CHALLENGE_LIFETIME_S})`
  const challenge = { walletKey: address.toLowerCase(), message, expiresAt }
  await trx
    .insertInto('walletChallenge')
    .values({ accountId, ...challenge })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(challenge))
    .execute()
}

/** Deletes the challenge. True if exactly this text was issued to this account for this address and has not expired. */
export async function consumeChallenge(
  trx: Transaction<Database>,
  { accountId, address, message }: { accountId: string; address: string; message: string },
) {
  const { numDeletedRows } = await trx
    .deleteFrom('walletChallenge')
    .where('accountId', '=', accountId)
    .where('walletKey', '=', address.toLowerCase())
    .where('message', '=', message)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
