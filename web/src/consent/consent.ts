/** A visitor's consent. `status` is the button, `preferences` the purposes that follow from it. */
export type Preferences = { necessary: boolean; analytics: boolean; marketing: boolean }
export type Status = 'all' | 'necessary' | 'custom'
export type Consent = { status: Status; id: string; date: string; preferences: Preferences }

const nothingMore: Preferences = { necessary: true, analytics: false, marketing: false }
const everything: Preferences = { necessary: true, analytics: true, marketing: true }

/** Parses the consent cookies. Null when there are none or when one is not exactly in our format. */
export function readConsent(jar: string): Consent | null {
  const cookies = new Map(jar.split('; ').map(splitPair))
  const status = cookies.get('cookie_consent')
  if (status !== 'all' && status !== 'necessary' && status !== 'custom') return null
  const written = cookies.get('cookie_preferences')
  const preferences = written === undefined ? impliedBy(status) : readPreferences(written)
  if (!preferences || contradicts(status, preferences)) return null
  const date = cookies.get('cookie_consent_date') ?? ''
  if (date && Number.isNaN(Date.parse(date))) return null
  return { status, preferences, date, id: cookies.get('cookie_consent_id') ?? '' }
}

function splitPair(pair: string): [string, string] {
  const at = pair.indexOf('=')
  const value = pair.slice(at + 1)
  try {
    return [pair.slice(0, at), decodeURIComponent(value)]
  } catch {
    return [pair.slice(0, at), value]
  }
}

/** The purposes of a status; null for `custom`, whose purposes are the checkboxes. */
export function impliedBy(status: Status): Preferences | null {
  if (status === 'custom') return null
  return status === 'all' ? everything : nothingMore
}

/** Accepts booleans only: the string "false" would count as true. */
function readPreferences(text: string): Preferences | null {
  try {
    const { necessary, analytics, marketing } = JSON.parse(text) as Record<string, unknown>
    if (typeof necessary !== 'boolean' || typeof analytics !== 'boolean' || typeof marketing !== 'boolean') return null
    return { necessary, analytics, marketing }
  } catch {
    return null
  }
}

function contradicts(status: Status, { analytics, marketing }: Preferences) {
  const implied = impliedBy(status)
  return implied !== null && (implied.analytics !== analytics || implied.marketing !== marketing)
}
