import { invalid } from '@nifty/service-kit/base/errors'
import { randomToken, sha256 } from '@nifty/service-kit/base/secrets'
import { readSentToken } from '@nifty/service-kit/base/sent-token'
import { inTransaction } from '@nifty/service-kit/database/transaction'
import { siteOf } from '@nifty/service-kit/http/network'
import { type Kysely, sql, type Transaction } from 'kysely'
import { changeAccount } from '../accounts/account.actions.ts'
import { publishPasswordReset, publishResetRequest } from '../accounts/account.events.ts'
import { findAccount, findAccountByEmail, findAccountFrozenBy, lockAccount } from '../accounts/account.store.ts'
import { type ExistingAccount, noOwner, noWallet } from '../accounts/account.ts'
import { normalizeEmail } from '../accounts/email-address.ts'
import type { MailConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { unfreezeAccount } from '../freezes/freeze.actions.ts'
import { clearAllFailures, networkKey } from '../logins/login.store.ts'
import {
  consumeReset,
  dequeueResetRequest,
  findReset,
  insertReset,
  SENT_WITHIN_HOURS,
} from '../mail-tokens/reset.store.ts'
import { clearQuota, consumeResetQuota } from '../quotas/quota.store.ts'
import { deleteSignInMethodsSince } from '../second-factors/second-factor.actions.ts'
import { replacePassword } from './password.actions.ts'
import type { Hasher } from './password.hash.ts'
import { checkPassword } from './password.ts'

const invalidLink = () => invalid('invalid_token', 'This reset link is invalid or has expired.')

/**
 * Processes one queued request: requests the mail with the link when the address has an account, a limited number of
 * times an hour and network. Without one the same statements and event follow, and no mail. Returns false when the
 * queue is empty.
 */
export function processResetRequest(db: Kysely<Database>, config: MailConfig): Promise<boolean> {
  return inTransaction(db, async (trx) => {
    const request = await dequeueResetRequest(trx)
    if (!request) return false
    const frozen = await findAccountFrozenBy(trx, request.email)
    const found = (await findAccountByEmail(trx, request.email)) ?? noOwner()
    await mailResetLink(trx, await lockAccount(trx, (frozen ?? found).id), { ...request, config })
    return true
  })
}

/** The caller holds the row lock of the account. */
export async function mailResetLink(
  trx: Transaction<Database>,
  account: ExistingAccount | undefined,
  { email, network, config }: { email: string; network: string; config: MailConfig },
) {
  const owner = account && ownerAt(account, email)
  const { id } = owner ?? noOwner()
  const originKey = networkKey(id, network)
  const quota = { originKey, siteKey: networkKey(id, siteOf(network)), perHour: config.limits.mailsPerHour }
  const allowed = await consumeResetQuota(trx, id, quota)
  const recipient = owner && allowed ? owner : noOwner()
  const token = randomToken()
  await insertReset(trx, { tokenHash: sha256(token), accountId: recipient.id, originKey })
  await publishResetRequest(trx, recipient, { token, keys: config.mailTokenKeys, hours: SENT_WITHIN_HOURS })
}

/**
 * The account with the address that gets the link, if that is the requested one. An account that is suspended or being
 * deleted gets none.
 */
function ownerAt(account: ExistingAccount, requested: string): ExistingAccount | undefined {
  // While it is frozen, the address that a thief may have entered gets no link.
  const email = account.frozenEmail ?? account.email
  const isOwner =
    !account.suspendedAt && !account.deletionRequestedAt && normalizeEmail(email) === normalizeEmail(requested)
  return isOwner ? { ...account, email } : undefined
}

/**
 * Sets a new password with the token of a mailed link. The token stays valid when the password is refused as weak; of
 * concurrent requests with one token, one succeeds.
 */
export async function resetPassword(
  { db, hasher, config }: { db: Kysely<Database>; hasher: Hasher; config: MailConfig },
  { token, newPassword, ip }: { token: string; newPassword: string; ip: string },
) {
  const read = readSentToken(token, config.mailTokenKeys)
  if (!read) throw invalidLink()
  const sent = { tokenHash: sha256(read.token), sentAt: read.sentAt }
  const reset = await findReset(db, sent)
  const account = reset && (await findAccount(db, reset.accountId))
  if (!account) throw invalidLink()
  checkPassword(newPassword, account)
  const passwordHash = await hasher.hash(newPassword, ip)

  await inTransaction(db, async (trx) => {
    const found = await lockAccount(trx, account.id)
    if (!found || !(await consumeReset(trx, sent))) throw invalidLink()
    const locked = found.frozenEmail ? await unfreezeAccount(trx, found, found.frozenEmail) : found
    await replacePassword(trx, locked, { passwordHash, mailTokenKeys: config.mailTokenKeys })
    // The link was mailed to this address, so following it confirms the address. Until then a stranger may have used
    // the account.
    if (!found.emailConfirmedAt) {
      await changeAccount(trx, locked.id, { emailConfirmedAt: sql`now()`, ...noWallet })
      await deleteSignInMethodsSince(trx, locked.id, locked.createdAt)
    }
    await clearAllFailures(trx, locked.id)
    await clearQuota(trx, locked.id, 'password_change')
    await publishPasswordReset(trx, locked)
  })
  return { userId: account.id }
}
