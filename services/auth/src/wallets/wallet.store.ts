import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'
import type { Purpose } from './wallet.ts'

export const CHALLENGE_LIFETIME_S = 5 * 60

export async function findWalletHolder(db: Kysely<Database>, address: string) {
  const holder = await db
    .selectFrom('account')
    .select('id')
    .where('walletKey', '=', address.toLowerCase())
    .executeTakeFirst()
  return holder?.id
}

type Challenge = { accountId: string; purpose: Purpose; address: string; message: string }

/** One challenge per account and purpose: a new one replaces it. */
export async function saveChallenge(trx: Transaction<Database>, { accountId, purpose, address, message }: Challenge) {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${CHALLENGE_LIFETIME_S})`
  const challenge = { walletKey: address.toLowerCase(), message, expiresAt }
  await trx
    .insertInto('walletChallenge')
    .values({ accountId, purpose, ...challenge })
    .onConflict((conflict) => conflict.columns(['accountId', 'purpose']).doUpdateSet(challenge))
    .execute()
}

/** True if `consumeChallenge` would be, now. */
export async function isChallengeIssued(
  db: Kysely<Database>,
  { accountId, purpose, address, message }: Challenge,
): Promise<boolean> {
  const found = await db
    .selectFrom('walletChallenge')
    .select('accountId')
    .where('accountId', '=', accountId)
    .where('purpose', '=', purpose)
    .where('walletKey', '=', address.toLowerCase())
    .where('message', '=', message)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * Deletes the challenge. True if exactly this text was issued to this account for this purpose and address, and has not
 * expired.
 */
export async function consumeChallenge(
  trx: Transaction<Database>,
  { accountId, purpose, address, message }: Challenge,
) {
  const { numDeletedRows } = await trx
    .deleteFrom('walletChallenge')
    .where('accountId', '=', accountId)
    .where('purpose', '=', purpose)
    .where('walletKey', '=', address.toLowerCase())
    .where('message', '=', message)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
