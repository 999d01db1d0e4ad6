import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database } from '../db.ts'

const LIFETIME_S = 5 * 60

export async function insertLoginChallenge(
  trx: Transaction<Database>,
  challenge: { tokenHash: string; accountId: string },
) {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${LIFETIME_S})`
  await trx
    .insertInto('loginChallenge')
    .values({ ...challenge, expiresAt })
    .execute()
}

export async function findLoginChallenge(db: Kysely<Database>, tokenHash: string) {
  return db
    .selectFrom('loginChallenge')
    .select('accountId')
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', sql<Date>`now()`)
    .executeTakeFirst()
}

/** Deletes all challenges of an account: after a log-in, and when its password changes. */
export const revokeLoginChallenges = (trx: Transaction<Database>, accountId: string) =>
  trx.deleteFrom('loginChallenge').where('accountId', '=', accountId).execute()
