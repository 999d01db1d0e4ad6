import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

export const CHALLENGE_LIFE_S = 5 * 60

export async function findWalletHolder(db: Kysely<Database>, address: string) {
  const holder = await db
    .selectFrom('account')
    .select('id')
    .where('walletKey', '=', address.toLowerCase())
    .executeTakeFirst()
  return holder?.id
}

/** One challenge per account: a new one replaces the former. */
export async function saveChallenge(
  trx: Transaction<Database>,
  { accountId, address, message }: { accountId: string; address: string; message: string },
) {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${CHALLENGE_LIFE_S})`
  const challenge = { walletKey: address.toLowerCase(), message, expiresAt }
  await trx
    .insertInto('walletChallenge')
    .values({ accountId, ...challenge })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(challenge))
    .execute()
}

/** Uses a challenge up. True when this account asked for exactly this text, for this address, and lately. */
export async function takeChallenge(
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
