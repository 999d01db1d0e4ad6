import { parseEmail } from '@nifty/api/email-address'
import { conflict } from '@nifty/service-kit/base/errors'
import { sql, type Transaction } from 'kysely'
import { alertOwner, changeAccount, deleteAccount } from '../accounts/account.actions.ts'
import { publishProfilePartsRemoved } from '../accounts/account.events.ts'
import { findAccountByEmail } from '../accounts/account.store.ts'
import { type ExistingAccount, isBlocked } from '../accounts/account.ts'
import { invalidEmail, normalizeEmail } from '../accounts/email-address.ts'
import type { Config, MailConfig } from '../config.ts'
import type { AccountChanges, Database } from '../db.ts'
import { requestConfirmation } from '../emails/email.actions.ts'
import { revokeConfirmations } from '../mail-tokens/confirmation.store.ts'
import { findFormerOwner } from '../mail-tokens/freeze-link.store.ts'
import { revokeResets } from '../mail-tokens/reset.store.ts'
import { endSessionsOf } from '../sessions/session.store.ts'
import { type Command, lockAndRecord } from './operator.actions.ts'

const emailTaken = () => conflict('email_taken', 'This e-mail address already belongs to another account.')

/** Throws 409 `account_blocked`: an operator reinstates or unfreezes the account first. */
function refuseIfBlocked(account: ExistingAccount) {
  if (isBlocked(account)) throw conflict('account_blocked', 'This account is suspended, frozen or being deleted')
}

/**
 * Gives an account another address, which is unconfirmed until its owner follows the link of a mail. The former one
 * gets a mail with a link that freezes the account. Ends the account's sessions. Throws 400 `invalid_email`, 404
 * `account_not_found`, 409 `email_taken` or `account_blocked`.
 */
export async function correctEmail(
  trx: Transaction<Database>,
  { newEmail, ...command }: Command & { newEmail: string },
  { mailTokenKeys: keys }: MailConfig,
) {
  const email = parseEmail(newEmail)
  if (email === null) throw invalidEmail()
  const account = await lockAndRecord(trx, command, 'correct-email')
  refuseIfBlocked(account)
  const emailKey = normalizeEmail(email)
  if (emailKey === account.emailKey) return { userId: account.id }
  const isTaken = (await findAccountByEmail(trx, email)) ?? (await findFormerOwner(trx, emailKey, account.id))
  if (isTaken) throw emailTaken()

  const changed = {
    email,
    emailKey,
    pendingEmail: null,
    emailConfirmedAt: null,
    withdrawalsWaitSince: sql<Date>`now()`,
  }
  await changeAccount(trx, account.id, changed)
  await alertOwner(trx, account, { what: 'email_changed', to: null }, keys)
  await revokeConfirmations(trx, account.id, 'new_address')
  await revokeResets(trx, account.id)
  await endSessionsOf(trx, account.id)
  await requestConfirmation(trx, account, { email, purpose: 'sign_up', keys })
  return { userId: account.id }
}

export type ProfilePart = 'avatar' | 'cover' | 'name' | 'description' | 'links'

/**
 * Removes parts of a profile; the user name takes the place of the name. The owner gets a mail with the reason,
 * unless the profile had none of the parts. Returns the files of the removed pictures. Throws 404 `account_not_found`.
 */
export async function removeFromProfile(
  trx: Transaction<Database>,
  { parts, ...command }: Command & { parts: ProfilePart[] },
) {
  const account = await lockAndRecord(trx, command, 'remove-from-profile')
  const { id, username, avatar, cover } = account
  const without: Record<ProfilePart, AccountChanges> = {
    avatar: { avatar: null },
    cover: { cover: null },
    name: { firstName: username.replace(/^@/, ''), lastName: '', formerName: null, renamedAt: null },
    description: { description: '' },
    links: { links: {} },
  }
  await changeAccount(trx, id, Object.assign({}, ...parts.map((part) => without[part])))
  const { firstName, lastName, description, links } = account
  const had: Record<ProfilePart, boolean> = {
    avatar: avatar !== null,
    cover: cover !== null,
    name: `${firstName} ${lastName}`.trim() !== without.name.firstName,
    description: description !== '',
    links: Object.keys(links).length > 0,
  }
  const shown = parts.filter((part) => had[part])
  if (shown.length > 0) await publishProfilePartsRemoved(trx, account, { parts: shown, reason: command.reason })
  const removed = (part: ProfilePart, file: string | null) => (parts.includes(part) ? file : null)
  return { userId: id, avatar: removed('avatar', avatar), cover: removed('cover', cover) }
}

/** As the owner deletes an account. Throws 404 `account_not_found`, 409 `account_blocked`, and as `deleteAccount`. */
export async function deleteAccountOf(
  trx: Transaction<Database>,
  { giveUpWorks, ...command }: Command & { giveUpWorks: boolean },
  config: Config,
) {
  const account = await lockAndRecord(trx, command, 'delete-account')
  refuseIfBlocked(account)
  return { userId: account.id, ...(await deleteAccount(trx, account.id, { giveUpWorks, config })) }
}
