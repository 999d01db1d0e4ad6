import { invalid, tooMany } from '@nifty/service-kit/base/errors'
import { type Keys, randomToken, sha256 } from '@nifty/service-kit/base/secrets'
import { sql, type Transaction } from 'kysely'
import { alertOwner, changeAccount, lockOwnAccount, notifyOwner } from '../accounts/account.actions.ts'
import { publishConfirmation } from '../accounts/account.events.ts'
import { findAccountByEmail, lockAccount, updateAccount } from '../accounts/account.store.ts'
import type { ExistingAccount } from '../accounts/account.ts'
import { normalizeEmail } from '../accounts/email-address.ts'
import type { MailConfig } from '../config.ts'
import type { Database } from '../db.ts'
import {
  consumeConfirmation,
  findConfirmation,
  insertConfirmation,
  type Purpose,
  revokeConfirmations,
} from '../mail-tokens/confirmation.store.ts'
import { findFormerOwner } from '../mail-tokens/freeze-link.store.ts'
import { revokeResets } from '../mail-tokens/reset.store.ts'
import { consumeQuota } from '../quotas/quota.store.ts'
import { endSessionsOf } from '../sessions/session.store.ts'

const invalidLink = () => invalid('invalid_token', 'This confirmation link is invalid or has expired.')

/** Requests the mail that confirms `email`, and revokes earlier links of the same purpose. */
export async function requestConfirmation(
  trx: Transaction<Database>,
  { id, firstName }: ExistingAccount,
  { email, purpose, keys }: { email: string; purpose: Purpose; keys: Keys },
) {
  const token = randomToken()
  await revokeConfirmations(trx, id, purpose)
  await insertConfirmation(trx, { tokenHash: sha256(token), accountId: id, email, purpose })
  await publishConfirmation(trx, { id, email, firstName }, { token, keys, purpose })
}

async function consumeMailQuota(trx: Transaction<Database>, accountId: string, perHour: number) {
  const quota = await consumeQuota(trx, accountId, { action: 'confirmation_mail', perHour })
  if (!quota.allowed) throw tooMany(quota.retryAfterS)
}

/** Requests the confirmation mail of sign-up again. No-op for a confirmed account. */
export async function resendConfirmation(
  trx: Transaction<Database>,
  accountId: string,
  { limits, mailTokenKeys: keys }: MailConfig,
) {
  const account = await lockOwnAccount(trx, accountId)
  if (account.emailConfirmedAt) return
  await consumeMailQuota(trx, account.id, limits.mailsPerHour)
  await requestConfirmation(trx, account, { email: account.email, purpose: 'sign_up', keys })
}

/** False for another spelling of the account's present address. */
export const isOtherAddress = ({ emailKey }: ExistingAccount, email: string) => normalizeEmail(email) !== emailKey

/**
 * The new address in a mail to the present one: not while that is unconfirmed, because a stranger may have entered
 * both.
 */
const shown = ({ emailConfirmedAt }: ExistingAccount, email: string) => (emailConfirmedAt ? email : null)

/**
 * Stores a new address as pending until a link mailed to it is followed, and notifies the present address. If the new
 * address belongs to another account, the caller gets the same response, and its owner a mail without a link.
 */
export async function requestEmailChange(
  trx: Transaction<Database>,
  account: ExistingAccount,
  { email, config }: { email: string; config: MailConfig },
) {
  const { mailsPerHour } = config.limits
  await consumeMailQuota(trx, account.id, mailsPerHour)
  await updateAccount(trx, account.id, { pendingEmail: email })
  await alertOwner(trx, account, { what: 'email_change_requested', to: shown(account, email) }, config.mailTokenKeys)

  const owner = await findAccountByEmail(trx, email)
  const free = !owner && !(await findFormerOwner(trx, normalizeEmail(email), account.id))
  if (free) return requestConfirmation(trx, account, { email, purpose: 'new_address', keys: config.mailTokenKeys })
  await revokeConfirmations(trx, account.id, 'new_address')
  await notifyOwner(trx, owner && (await lockAccount(trx, owner.id)), mailsPerHour)
}

/**
 * Confirms the address of a mailed link. Idempotent for the same link. Returns whose it is, and whether sessions were
 * ended.
 */
export async function confirmEmail(
  trx: Transaction<Database>,
  { token, mailTokenKeys }: { token: string; mailTokenKeys: Keys },
): Promise<{ userId: string; endedSessions: boolean }> {
  const found = await findConfirmation(trx, sha256(token))
  const account = found && (await lockAccount(trx, found.accountId))
  if (!account) throw invalidLink()

  const first = await consumeConfirmation(trx, found.tokenHash)
  if (!first) {
    if (account.emailKey === normalizeEmail(found.email) && account.emailConfirmedAt)
      return { userId: account.id, endedSessions: false }
    throw invalidLink()
  }
  return found.purpose === 'sign_up'
    ? confirmSignUp(trx, account, found.email)
    : applyNewAddress(trx, account, { email: found.email, mailTokenKeys })
}

async function confirmSignUp(trx: Transaction<Database>, account: ExistingAccount, email: string) {
  if (account.emailKey !== normalizeEmail(email)) throw invalidLink()
  await updateAccount(trx, account.id, { emailConfirmedAt: sql`now()` })
  return { userId: account.id, endedSessions: false }
}

async function applyNewAddress(
  trx: Transaction<Database>,
  account: ExistingAccount,
  { email, mailTokenKeys }: { email: string; mailTokenKeys: Keys },
) {
  if (account.pendingEmail !== email) throw invalidLink()
  const former = await findFormerOwner(trx, normalizeEmail(email), account.id)
  if (former || (await findAccountByEmail(trx, email)))
    throw invalid('email_taken', 'This e-mail address already belongs to another account.')

  await changeAccount(trx, account.id, {
    email,
    emailKey: normalizeEmail(email),
    pendingEmail: null,
    emailConfirmedAt: sql`now()`,
    withdrawalsWaitSince: sql`now()`,
  })
  await alertOwner(trx, account, { what: 'email_changed', to: shown(account, email) }, mailTokenKeys)
  await revokeConfirmations(trx, account.id, 'sign_up')
  await revokeResets(trx, account.id)
  await endSessionsOf(trx, account.id)
  return { userId: account.id, endedSessions: true }
}
