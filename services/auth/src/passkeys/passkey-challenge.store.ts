import { sha256 } from '@nifty/service-kit/base/secrets'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../db.ts'

export const CHALLENGE_LIFETIME_S = 5 * 60

export type ChallengeUse =
  | { purpose: 'log_in'; accountId: null }
  | { purpose: 'register' | 'step_up'; accountId: string }

export async function savePasskeyChallenge(db: Kysely<Database>, challenge: string, use: ChallengeUse) {
  const expiresAt = sql<Date>`now() + make_interval(secs => ${CHALLENGE_LIFETIME_S})`
  await db
    .insertInto('passkeyChallenge')
    .values({ challengeHash: sha256(challenge), ...use, expiresAt })
    .execute()
}

/**
 * True once for an issued challenge, before it expires, for its purpose and account. Not part of a transaction: a
 * refused attempt uses it up.
 */
export async function consumePasskeyChallenge(db: Kysely<Database>, challenge: string, use: ChallengeUse) {
  const { rows } = await sql`
    delete from passkey_challenge
    where challenge_hash = ${sha256(challenge)} and purpose = ${use.purpose}
      and account_id is not distinct from ${use.accountId}::uuid and expires_at > now()
    returning 1`.execute(db)
  return rows.length > 0
}
