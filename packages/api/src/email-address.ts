import { parseUrl } from './url.ts'

const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
const DOMAIN = /^([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]([A-Za-z0-9-]*[A-Za-z0-9])?$/

/**
 * One plain address, trimmed, or null: no list, display name or quoted part, so that a mail server cannot parse it as
 * two. The domain is in ASCII (`user@müller.de` is `user@xn--mller-kva.de`), and full-width characters are those of
 * ASCII, so that browsers that convert a typed address and those that do not send the same one.
 */
export function parseEmail(sent: unknown): string | null {
  if (typeof sent !== 'string') return null
  const typed = sent.normalize('NFKC').trim()
  const at = typed.lastIndexOf('@')
  const [local, domain] = [typed.slice(0, at), asciiDomain(typed.slice(at + 1))]
  const email = `${local}@${domain}`
  if (at < 1 || email.length > 254 || local.length > 64) return null
  return LOCAL.test(local) && DOMAIN.test(domain) ? email : null
}

/** By the rules of host names in URLs (UTS 46), which browsers follow too. A domain that they refuse is unchanged. */
function asciiDomain(domain: string): string {
  // Only what needs it: a URL parser takes `a.example/b` for `a.example`, and drops invisible characters.
  if (/^[\x21-\x7e]*$/.test(domain) || /[/\\?#@:%[\]\s\p{Default_Ignorable_Code_Point}]/u.test(domain)) return domain
  return parseUrl(`https://${domain}`)?.hostname ?? domain
}
