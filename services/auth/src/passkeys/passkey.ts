import { nameProblem } from '@nifty/api/names'
import { conflict, invalid, notFound } from '@nifty/service-kit/base/errors'

export const MAX_PASSKEYS = 20

/** The same for every cause, so that it does not reveal which passkeys exist. */
export const invalidPasskey = () =>
  invalid('invalid_passkey', 'This passkey was not accepted. Please try again, or use your password.')

export const passkeyExists = () => conflict('passkey_exists', 'This passkey is registered already.')

export const tooManyPasskeys = () =>
  conflict('too_many_passkeys', `An account has at most ${MAX_PASSKEYS} passkeys. Please remove one first.`)

export const noPasskey = () => conflict('no_passkey', 'Your account has no passkey.')

export const passkeyNotFound = () => notFound('passkey_not_found', 'This passkey does not exist.')

/** The name as it is stored. Throws 400 `invalid_name`. */
export function checkName(typed: string): string {
  const name = typed.trim()
  const msg = nameProblem(name)
  if (msg) throw invalid('invalid_name', msg, { errors: [{ msg, path: 'name' }] })
  return name
}
