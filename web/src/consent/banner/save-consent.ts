import type { Consent, Preferences, Status } from '../consent.ts'
import { change, getConsent } from '../consent-store.ts'
import { consentOf, cookiesOf } from './consent-cookies.ts'

/** Saves a choice in cookies for 365 days. Without cookies it lasts until the page is left. */
export function saveConsent(
  status: Status,
  chosen: Omit<Preferences, 'necessary'> = { analytics: false, marketing: false },
) {
  const before = getConsent()
  const consent = consentOf(status, chosen, before?.id || newId(), new Date())
  write(document, consent)
  change({ consent, reopened: false })
  const lost = (kind: 'analytics' | 'marketing') => before?.preferences[kind] && !consent.preferences[kind]
  // Scripts that run already can only be removed by a reload.
  if (lost('analytics') || lost('marketing')) location.reload()
}

/** Withdraws the consent to all but necessary cookies and reloads the page. */
export function withdrawConsent() {
  saveConsent('necessary')
  location.reload()
}

function write(jar: Pick<Document, 'cookie'>, consent: Consent) {
  for (const cookie of cookiesOf(consent, location.protocol === 'https:')) jar.cookie = cookie
  if (!consent.preferences.analytics) deleteAnalyticsCookies(jar)
  try {
    localStorage.setItem('cookie_consent_status', consent.status)
  } catch {
    // The cookies hold the same state.
  }
}

/** Deletes the analytics cookies of an earlier consent, on this host and its parent domains. */
function deleteAnalyticsCookies(jar: Pick<Document, 'cookie'>) {
  const names = jar.cookie.split('; ').flatMap((pair) => pair.match(/^_ga[^=]*/)?.[0] ?? [])
  const labels = location.hostname.split('.')
  const domains = labels.map((_, from) => `; Domain=${labels.slice(from).join('.')}`)
  for (const name of names) for (const domain of ['', ...domains]) jar.cookie = `${name}=; Max-Age=0; Path=/${domain}`
}

/** `crypto.randomUUID` needs a secure context; this works on plain HTTP too. */
const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
