import { invalid } from '@nifty/service-kit/base/errors'

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN = /^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$/

/** One plain address, trimmed, or null. */
export function parseEmail(sent: string): string | null {
  const email = sent.trim()
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  if (at < 1 || email.length > 254 || local.length > 64) return null
  return LOCAL.test(local) && DOMAIN.test(domain) ? email : null
}

/** Equal for all spellings of one address. */
export const normalizeEmail = (email: string) => email.trim().toLowerCase()

export const INVALID_EMAIL = 'Please enter a valid email'

export const invalidEmail = () =>
  invalid('invalid_email', INVALID_EMAIL, { errors: [{ msg: INVALID_EMAIL, path: 'email' }] })
