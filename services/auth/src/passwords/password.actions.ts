import type { SignedIn } from '@nifty/api/auth'
import { securityNoticed } from '@nifty/events/auth'
import { invalid } from '@nifty/service-kit/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { inTransaction } from '@nifty/service-kit/transaction'
import type { Transaction } from 'kysely'
import { lockOwnAccount } from '../accounts/account.actions.ts'
import { findAccount, updateAccount } from '../accounts/account.store.ts'
import type { LivingAccount } from '../accounts/account.ts'
import type { Database } from '../db.ts'
import { type LoginDeps, provePassword } from '../logins/login.actions.ts'
import { forgetFailures } from '../logins/login.store.ts'
import { voidConfirmations } from '../mail-tokens/confirmation.store.ts'
import { voidResets } from '../mail-tokens/reset.store.ts'
import { moment } from '../moment.ts'
import { openSession } from '../sessions/session.actions.ts'
import { endSessionsOf } from '../sessions/session.store.ts'
import { checkPassword } from './password.ts'

const refused = () => invalid('wrong_password', 'Failed to update password')

/** A new password ends what the old one opened: sessions, links in mails, and an address that waits. Its owner is told. */
export async function replacePassword(trx: Transaction<Database>, account: LivingAccount, passwordHash: string) {
  const { id, email, firstName } = account
  await updateAccount(trx, id, { passwordHash, pendingEmail: null })
  await voidConfirmations(trx, id, 'new_address')
  await voidResets(trx, id)
  await endSessionsOf(trx, id)
  await publishEvent(trx, securityNoticed, { userId: id, email, firstName, what: 'password_changed', at: moment() })
}

/** Changes the password of whoever knows the present one, and logs them in anew. */
export async function changePassword(
  deps: LoginDeps,
  { userId, oldPassword, newPassword, ip }: { userId: string; oldPassword: string; newPassword: string; ip: string },
): Promise<SignedIn> {
  const { db, hasher, keys } = deps
  const account = await findAccount(db, userId)
  if (!account) throw refused()
  if (newPassword === oldPassword) throw invalid('same_password', 'The new password must differ from the present one')
  checkPassword(newPassword, account)
  const attempt = await provePassword(deps, { account, typed: userId, password: oldPassword, ip })
  if (!attempt) throw refused()
  const passwordHash = await hasher.hash(newPassword)

  return inTransaction(db, async (trx) => {
    const locked = await lockOwnAccount(trx, userId)
    // Changed meanwhile, by a reset or from another place: the password that was proven is not the present one.
    if (locked.passwordHash !== account.passwordHash) throw refused()
    await replacePassword(trx, locked, passwordHash)
    await forgetFailures(trx, attempt)
    return openSession(trx, keys, { account: locked, message: 'Password updated successfully' })
  })
}
