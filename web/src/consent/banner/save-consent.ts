import type { Consent, Preferences, Status } from '../consent.ts'
import { change, getConsent } from '../consent-store.ts'
import { consentOf, cookiesOf } from './consent-cookies.ts'

/** Keeps a choice for 365 days. Without cookies it holds as long as the page. */
export function choose(
  status: Status,
  chosen: Omit<Preferences, 'necessary'> = { analytics: false, marketing: false },
) {
  const before = getConsent()
  const consent = consentOf(status, chosen, before?.id || newId(), new Date())
  write(document, consent)
  change({ consent, reopened: false })
  const lost = (kind: 'analytics' | 'marketing') => before?.preferences[kind] && !consent.preferences[kind]
  // What runs already can only be stopped by a page without it.
  if (lost('analytics') || lost('marketing')) location.reload()
}

/** Back to what the store cannot work without; the page starts anew without the rest. */
export function withdraw() {
  choose('necessary')
  location.reload()
}

function write(jar: Pick<Document, 'cookie'>, consent: Consent) {
  for (const cookie of cookiesOf(consent, location.protocol === 'https:')) jar.cookie = cookie
  if (!consent.preferences.analytics) forgetStatistics(jar)
  try {
    localStorage.setItem('cookie_consent_status', consent.status)
  } catch {
    // The cookies say the same.
  }
}

/** The statistics cookies that an earlier yes left behind, on this host and the domains above it. */
function forgetStatistics(jar: Pick<Document, 'cookie'>) {
  const names = jar.cookie.split('; ').flatMap((pair) => pair.match(/^_ga[^=]*/)?.[0] ?? [])
  const labels = location.hostname.split('.')
  const domains = labels.map((_, from) => `; Domain=${labels.slice(from).join('.')}`)
  for (const name of names) for (const domain of ['', ...domains]) jar.cookie = `${name}=; Max-Age=0; Path=/${domain}`
}

/** Random, also on pages without a secure context. */
const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
