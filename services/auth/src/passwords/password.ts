import { invalid } from '@nifty/service-kit/base/errors'
import { normalizeEmail } from '../accounts/email-address.ts'
import { isCommonPassword } from './common-passwords.ts'

export const MIN_PASSWORD_LENGTH = 8
const MAX_PASSWORD_LENGTH = 256

/** Checks length and guessability, without rules on character classes. The password is not trimmed. */
export function checkPassword(password: string, { email, username }: { email: string; username: string }) {
  const refuse = (msg: string) => invalid('weak_password', msg, { errors: [{ msg, path: 'password' }] })
  const length = [...password].length
  if (length < MIN_PASSWORD_LENGTH) throw refuse(`The password must have at least ${MIN_PASSWORD_LENGTH} characters`)
  if (password.length > MAX_PASSWORD_LENGTH)
    throw refuse(`The password must have at most ${MAX_PASSWORD_LENGTH} characters`)

  const lowerCase = password.toLowerCase()
  const name = username.replace(/^@/, '').toLowerCase()
  const address = normalizeEmail(email)
  if ([address, address.split('@', 1)[0], name, `@${name}`].includes(lowerCase))
    throw refuse('The password must not be your e-mail address or username')
  if (isCommonPassword(password)) throw refuse('This password is too common, please choose another one')
}
