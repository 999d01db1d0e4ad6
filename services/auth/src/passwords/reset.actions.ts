import { passwordResetRequested } from '@nifty/events/auth'
import { invalid } from '@nifty/service-kit/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { inTransaction } from '@nifty/service-kit/transaction'
import { type Kysely, sql, type Transaction } from 'kysely'
import { findAccount, findAccountByEmail, lockAccount, updateAccount } from '../accounts/account.store.ts'
import type { Database } from '../db.ts'
import { forgetAllFailures } from '../logins/login.store.ts'
import { findReset, insertReset, takeResetRequest, useReset, voidResets } from '../mail-tokens/reset.store.ts'
import { moment } from '../moment.ts'
import { takeQuota } from '../quotas/quota.store.ts'
import { digest, newSecret } from '../secrets.ts'
import { replacePassword } from './password.actions.ts'
import type { Hasher } from './password.hash.ts'
import { checkPassword } from './password.ts'

const invalidLink = () => invalid('invalid_token', 'This reset link is invalid or has expired.')

/** Deals with one queued request: a known address gets a link, at most so many an hour. False when none waits. */
export function answerResetRequest(db: Kysely<Database>, mailsPerHour: number): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const request = await takeResetRequest(trx)
    if (!request) return false
    const found = await findAccountByEmail(trx, request.email)
    const account = found && (await lockAccount(trx, found.id))
    if (!account || account.suspendedAt) return true

    const { taken } = await takeQuota(trx, account.id, { action: 'reset_mail', perHour: mailsPerHour })
    if (!taken) return true
    const token = newSecret()
    await voidResets(trx, account.id)
    await insertReset(trx, { tokenHash: digest(token), accountId: account.id })
    const { id, email, firstName } = account
    await publishEvent(trx, passwordResetRequested, { userId: id, email, firstName, token, at: moment() })
    return true
  })
}

/** Sets a new password by a link. A weak password leaves the link valid; of many at once, one wins. */
export async function resetPassword(
  { db, hasher }: { db: Kysely<Database>; hasher: Hasher },
  { token, newPassword }: { token: string; newPassword: string },
) {
  const tokenHash = digest(token)
  const reset = await findReset(db, tokenHash)
  const account = reset && (await findAccount(db, reset.accountId))
  if (!account) throw invalidLink()
  checkPassword(newPassword, account)
  const passwordHash = await hasher.hash(newPassword)

  await inTransaction(db, async (trx) => {
    const locked = await lockAccount(trx, account.id)
    if (!locked || !(await useReset(trx, tokenHash))) throw invalidLink()
    await replacePassword(trx, locked, passwordHash)
    await confirmByMail(trx, locked)
    await forgetAllFailures(trx, locked.id)
  })
}

/** Whoever followed the link reads this mailbox. */
const confirmByMail = (
  trx: Transaction<Database>,
  { id, emailConfirmedAt }: { id: string; emailConfirmedAt: Date | null },
) => (emailConfirmedAt ? undefined : updateAccount(trx, id, { emailConfirmedAt: sql`now()` }))
