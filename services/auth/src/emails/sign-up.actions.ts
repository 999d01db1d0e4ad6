import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { notifyOwner } from '../accounts/account.actions.ts'
import { publishAccount } from '../accounts/account.events.ts'
import {
  insertAccount,
  isUsernameTaken,
  lockAccount,
  lockAccountByEmail,
  reserveUsername,
  usernameKeysOf,
} from '../accounts/account.store.ts'
import { defaultNotifications } from '../accounts/account.ts'
import { normalizeEmail } from '../accounts/email-address.ts'
import { usernameUnavailable } from '../accounts/username.ts'
import type { MailConfig } from '../config.ts'
import type { Database } from '../db.ts'
import { findFormerOwner } from '../mail-tokens/freeze-link.store.ts'
import { mailResetLink } from '../passwords/reset.actions.ts'
import { requestConfirmation } from './email.actions.ts'

type SignUp = {
  firstName: string
  lastName: string
  username: string
  email: string
  passwordHash: string
  network: string
}

const registered = { success: true, message: 'Registered successfully. Check your email.' }

/**
 * Creates an account. With the address of an existing account the response is the same and the owner gets a mail. Where
 * the address is unconfirmed, it has a link that resets the password: somebody else may have signed up with this
 * address, and a confirmation would open the account to their password. The username is then reserved, so that a second
 * attempt does not reveal the address either; and the account is published again, unchanged, so that the load after the
 * response does not.
 */
export async function signUp(
  trx: Transaction<Database>,
  { email, passwordHash, network, ...names }: SignUp,
  config: MailConfig,
) {
  const keys = usernameKeysOf(names.username)
  if (await isUsernameTaken(trx, keys)) throw usernameUnavailable()

  const former = await findFormerOwner(trx, normalizeEmail(email), null)
  const account = former
    ? undefined
    : await insertAccount(trx, {
        id: randomUUID(),
        ...names,
        ...keys,
        email,
        emailKey: normalizeEmail(email),
        passwordHash,
        notifications: defaultNotifications,
      })
  if (account) {
    await publishAccount(trx, account)
    await requestConfirmation(trx, account, { email, purpose: 'sign_up', keys: config.mailTokenKeys })
    return registered
  }

  const owner = await lockAccountByEmail(trx, email)
  const known = owner ?? (former && (await lockAccount(trx, former.id)))
  if (!known) throw usernameUnavailable()
  await reserveUsername(trx, keys)
  await publishAccount(trx, known)
  if (owner && !owner.emailConfirmedAt) await mailResetLink(trx, owner, { email, network, config })
  else await notifyOwner(trx, owner, config.limits.mailsPerHour)
  return registered
}
