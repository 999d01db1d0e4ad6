import { emailConfirmationRequested, securityNoticed } from '@nifty/events/auth'
import { invalid, tooMany } from '@nifty/service-kit/errors'
import { publishEvent } from '@nifty/service-kit/messaging/outbox'
import { sql, type Transaction } from 'kysely'
import { changeAccount, lockOwnAccount, tellOwner } from '../accounts/account.actions.ts'
import { findAccountByEmail, lockAccount, updateAccount } from '../accounts/account.store.ts'
import type { LivingAccount } from '../accounts/account.ts'
import { foldEmail } from '../accounts/email-address.ts'
import type { Database } from '../db.ts'
import {
  findConfirmation,
  insertConfirmation,
  type Purpose,
  useConfirmation,
  voidConfirmations,
} from '../mail-tokens/confirmation.store.ts'
import { voidResets } from '../mail-tokens/reset.store.ts'
import { moment } from '../moment.ts'
import { takeQuota } from '../quotas/quota.store.ts'
import { digest, newSecret } from '../secrets.ts'
import { endSessionsOf } from '../sessions/session.store.ts'

const invalidLink = () => invalid('invalid_token', 'This confirmation link is invalid or has expired.')

/** Sends a link to an address, in place of any earlier one. */
export async function requestConfirmation(
  trx: Transaction<Database>,
  { id, firstName }: LivingAccount,
  { email, purpose }: { email: string; purpose: Purpose },
) {
  const token = newSecret()
  await voidConfirmations(trx, id, purpose)
  await insertConfirmation(trx, { tokenHash: digest(token), accountId: id, email, purpose })
  await publishEvent(trx, emailConfirmationRequested, { userId: id, email, firstName, token, purpose, at: moment() })
}

async function takeMail(trx: Transaction<Database>, accountId: string, perHour: number) {
  const quota = await takeQuota(trx, accountId, { action: 'confirmation_mail', perHour })
  if (!quota.taken) throw tooMany(quota.retryAfterS)
}

/** Sends the link of an unconfirmed account once more; a confirmed one needs none. */
export async function resendConfirmation(trx: Transaction<Database>, accountId: string, mailsPerHour: number) {
  const account = await lockOwnAccount(trx, accountId)
  if (account.emailConfirmedAt) return
  await takeMail(trx, account.id, mailsPerHour)
  await requestConfirmation(trx, account, { email: account.email, purpose: 'sign_up' })
}

/**
 * Keeps a new address as pending until its own mailbox confirms it, and warns the present one. With an address of
 * somebody else the caller sees the same, and that person gets a mail instead of a link.
 */
export async function requestEmailChange(
  trx: Transaction<Database>,
  account: LivingAccount,
  { email, mailsPerHour }: { email: string; mailsPerHour: number },
) {
  if (foldEmail(email) === account.emailKey) return
  await takeMail(trx, account.id, mailsPerHour)
  await updateAccount(trx, account.id, { pendingEmail: email })
  const { id, firstName } = account
  await publishEvent(trx, securityNoticed, {
    userId: id,
    email: account.email,
    firstName,
    what: 'email_changed',
    at: moment(),
  })

  const owner = await findAccountByEmail(trx, email)
  if (!owner) return requestConfirmation(trx, account, { email, purpose: 'new_address' })
  await voidConfirmations(trx, account.id, 'new_address')
  await tellOwner(trx, owner.id, mailsPerHour)
}

/** Follows a link out of a mail. A second click on the same link is fine. Returns whether sessions ended. */
export async function confirmEmail(trx: Transaction<Database>, token: string): Promise<{ endedSessions: boolean }> {
  const found = await findConfirmation(trx, digest(token))
  const account = found && (await lockAccount(trx, found.accountId))
  if (!account) throw invalidLink()

  const first = await useConfirmation(trx, found.tokenHash)
  if (!first) {
    if (account.emailKey === foldEmail(found.email) && account.emailConfirmedAt) return { endedSessions: false }
    throw invalidLink()
  }
  return found.purpose === 'sign_up'
    ? confirmPresent(trx, account, found.email)
    : adoptAddress(trx, account, found.email)
}

async function confirmPresent(trx: Transaction<Database>, account: LivingAccount, email: string) {
  if (account.emailKey !== foldEmail(email)) throw invalidLink()
  await updateAccount(trx, account.id, { emailConfirmedAt: sql`now()` })
  return { endedSessions: false }
}

async function adoptAddress(trx: Transaction<Database>, account: LivingAccount, email: string) {
  if (account.pendingEmail !== email) throw invalidLink()
  if (await findAccountByEmail(trx, email))
    throw invalid('email_taken', 'This e-mail address already belongs to another account.')

  await changeAccount(trx, account.id, {
    email,
    emailKey: foldEmail(email),
    pendingEmail: null,
    emailConfirmedAt: sql`now()`,
  })
  await voidConfirmations(trx, account.id, 'sign_up')
  await voidResets(trx, account.id)
  await endSessionsOf(trx, account.id)
  return { endedSessions: true }
}
