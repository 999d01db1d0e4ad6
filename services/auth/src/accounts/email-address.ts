import { parseEmail } from '@nifty/api/email-address'
import { invalid } from '@nifty/service-kit/base/errors'

/** Equal for all spellings of one address. */
export const normalizeEmail = (email: string) => (parseEmail(email) ?? email.trim()).toLowerCase()

export const INVALID_EMAIL = 'Please enter a valid email'

export const invalidEmail = () =>
  invalid('invalid_email', INVALID_EMAIL, { errors: [{ msg: INVALID_EMAIL, path: 'email' }] })
