import { randomUUID } from 'node:crypto'
import type { SignedIn } from '@nifty/api/auth/account'
import type { Transaction } from 'kysely'
import type { ExistingAccount } from '../accounts/account.ts'
import type { Database } from '../db.ts'
import type { SigningKeys } from './session.keys.ts'
import { insertSession } from './session.store.ts'

/** Opens a session and issues its token. */
export async function openSession(
  trx: Transaction<Database>,
  keys: SigningKeys,
  { account, message }: { account: ExistingAccount; message: string },
): Promise<SignedIn> {
  const sessionId = randomUUID()
  await insertSession(trx, { id: sessionId, accountId: account.id })
  const token = keys.sign({ userId: account.id, sessionId })
  return { success: true, message, token, userId: account.id, username: account.username }
}
