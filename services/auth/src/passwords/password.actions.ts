import type { SignedIn } from '@nifty/api/auth/account'
import { invalid, tooMany } from '@nifty/service-kit/base/errors'
import type { Keys } from '@nifty/service-kit/base/secrets'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { sql, type Transaction } from 'kysely'
import { alertOwner, lockOwnAccount } from '../accounts/account.actions.ts'
import { findAccount, updateAccount } from '../accounts/account.store.ts'
import type { ExistingAccount } from '../accounts/account.ts'
import type { Database } from '../db.ts'
import { type LoginDeps, verifyPassword } from '../logins/login.actions.ts'
import { clearFailures } from '../logins/login.store.ts'
import { revokeLoginChallenges } from '../logins/login-challenge.store.ts'
import { revokeConfirmations } from '../mail-tokens/confirmation.store.ts'
import { revokeResets } from '../mail-tokens/reset.store.ts'
import { clearQuota, consumeQuota } from '../quotas/quota.store.ts'
import { openSession } from '../sessions/session.actions.ts'
import type { SessionClient } from '../sessions/session.client.ts'
import { endSessionsOf } from '../sessions/session.store.ts'
import { checkPassword } from './password.ts'

const wrongPassword = () =>
  invalid('wrong_password', 'Failed to update password', {
    errors: [{ msg: 'This is not your present password', path: 'oldPassword' }],
  })

/**
 * Also ends all sessions, revokes mailed links, drops a pending address, and notifies the owner. Log-ins with the
 * former password leave the quota of sessions.
 */
export async function replacePassword(
  trx: Transaction<Database>,
  account: ExistingAccount,
  { passwordHash, mailTokenKeys }: { passwordHash: string; mailTokenKeys: Keys },
) {
  const { id } = account
  await updateAccount(trx, id, { passwordHash, pendingEmail: null, withdrawalsWaitSince: sql`now()` })
  await revokeConfirmations(trx, id, 'new_address')
  await revokeResets(trx, id)
  await revokeLoginChallenges(trx, id)
  await endSessionsOf(trx, id)
  await clearQuota(trx, id, 'session')
  await alertOwner(trx, account, { what: 'password_changed', to: null }, mailTokenKeys)
}

type PasswordChange = {
  userId: string
  oldPassword: string
  newPassword: string
  ip: string
  client: SessionClient
}

/**
 * Changes the password after verifying the present one, and opens a new session. Throws 429 beyond the changes that an
 * account has in an hour; a reset forgets them.
 */
export async function changePassword(
  deps: LoginDeps,
  { userId, oldPassword, newPassword, ip, client }: PasswordChange,
): Promise<SignedIn> {
  const { db, hasher } = deps
  const account = await findAccount(db, userId)
  if (!account) throw wrongPassword()
  if (newPassword === oldPassword) throw invalid('same_password', 'The new password must differ from the present one')
  checkPassword(newPassword, account)
  const attempt = await verifyPassword(deps, { account, typed: userId, password: oldPassword, ip })
  if (!attempt) throw wrongPassword()
  const passwordHash = await hasher.hash(newPassword, ip)

  return inTransaction(db, async (trx) => {
    const locked = await lockOwnAccount(trx, userId)
    // A concurrent reset or change replaced the password that was verified.
    if (locked.passwordHash !== account.passwordHash) throw wrongPassword()
    const quota = { action: 'password_change', perHour: deps.config.limits.passwordsPerHour } as const
    const use = await consumeQuota(trx, userId, quota)
    if (!use.allowed) throw tooMany(use.retryAfterS)
    await replacePassword(trx, locked, { passwordHash, mailTokenKeys: deps.config.mailTokenKeys })
    await clearFailures(trx, attempt)
    return openSession(trx, deps, { account: locked, client, message: 'Password updated successfully' })
  })
}
