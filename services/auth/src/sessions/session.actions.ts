import { randomUUID } from 'node:crypto'
import type { SignedIn } from '@nifty/api/auth/account'
import type { Transaction } from 'kysely'
import type { ExistingAccount } from '../accounts/account.ts'
import type { Database } from '../db.ts'
import type { SessionClient } from './session.client.ts'
import type { SigningKeys } from './session.keys.ts'
import { endOldestSessions, insertSession } from './session.store.ts'

/** Live sessions of an account. */
const LIVE_SESSIONS = 50

/**
 * Opens a session after its password was verified: issues its token, and a step-up token. Ends the oldest one of 50.
 * The caller holds the account's row lock.
 */
export async function openSession(
  trx: Transaction<Database>,
  { keys }: { keys: SigningKeys },
  { account, client, message }: { account: ExistingAccount; client: SessionClient; message: string },
): Promise<SignedIn> {
  const sessionId = randomUUID()
  await insertSession(trx, { id: sessionId, accountId: account.id, ...client })
  await endOldestSessions(trx, account.id, LIVE_SESSIONS)
  const subject = { userId: account.id, sessionId }
  const tokens = { token: keys.sign(subject), stepUp: keys.signStepUp(subject) }
  return { success: true, message, ...tokens, userId: account.id, username: account.username }
}
