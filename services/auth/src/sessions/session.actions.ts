import { randomUUID } from 'node:crypto'
import type { SignedIn } from '@nifty/api/auth'
import type { Transaction } from 'kysely'
import type { LivingAccount } from '../accounts/account.ts'
import type { Database } from '../db.ts'
import type { SigningKeys } from './session.keys.ts'
import { insertSession } from './session.store.ts'

/** Logs an account in: a session, and the token that carries it. */
export async function openSession(
  trx: Transaction<Database>,
  keys: SigningKeys,
  { account, message }: { account: LivingAccount; message: string },
): Promise<SignedIn> {
  const sessionId = randomUUID()
  await insertSession(trx, { id: sessionId, accountId: account.id })
  const token = keys.sign({ userId: account.id, sessionId })
  return { success: true, message, token, userId: account.id, username: account.username }
}
