const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN = /^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$/

/**
 * One plain address, trimmed, or null: no list, display name or quoted part, so that a mail server cannot parse it as
 * two.
 */
export function parseEmail(sent: unknown): string | null {
  if (typeof sent !== 'string') return null
  const email = sent.trim()
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
  if (at < 1 || email.length > 254 || local.length > 64) return null
  return LOCAL.test(local) && DOMAIN.test(domain) ? email : null
}
