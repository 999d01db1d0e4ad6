import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { announceAccount, tellOwner } from '../accounts/account.actions.ts'
import {
  findAccountByEmail,
  holdUsername,
  insertAccount,
  isUsernameTaken,
  usernameKeyOf,
} from '../accounts/account.store.ts'
import { defaultNotifications } from '../accounts/account.ts'
import { foldEmail } from '../accounts/email-address.ts'
import type { Database } from '../db.ts'
import { requestConfirmation } from '../emails/email.actions.ts'

export type SignUp = { firstName: string; lastName: string; username: string; email: string; passwordHash: string }

export const usernameUnavailable = { success: false, message: 'This username is not available' }
const registered = { success: true, message: 'Registered successfully. Check your email.' }

/**
 * Opens an account. With an address that has one already, the answer is the same and its owner gets the mail;
 * the username is then held, so that a second try tells nothing either.
 */
export async function signUp(
  trx: Transaction<Database>,
  { email, passwordHash, ...names }: SignUp,
  mailsPerHour: number,
) {
  const usernameKey = usernameKeyOf(names.username)
  if (await isUsernameTaken(trx, usernameKey)) return usernameUnavailable

  const account = await insertAccount(trx, {
    id: randomUUID(),
    ...names,
    usernameKey,
    email,
    emailKey: foldEmail(email),
    passwordHash,
    notifications: defaultNotifications,
  })
  if (account) {
    await announceAccount(trx, account)
    await requestConfirmation(trx, account, { email, purpose: 'sign_up' })
    return registered
  }

  const owner = await findAccountByEmail(trx, email)
  if (!owner) return usernameUnavailable
  await holdUsername(trx, usernameKey)
  await tellOwner(trx, owner.id, mailsPerHour)
  return registered
}
