import { type Consent, impliedBy, type Preferences, type Status } from '../consent.ts'

const keptDays = 365

export function consentOf(status: Status, chosen: Omit<Preferences, 'necessary'>, id: string, now: Date): Consent {
  const preferences = impliedBy(status) ?? { necessary: true, ...chosen }
  return { status, preferences, id, date: now.toISOString() }
}

/** The four cookies of a consent, as `document.cookie` strings. */
export function cookiesOf({ status, id, date, preferences }: Consent, isSecure: boolean): string[] {
  const values = {
    cookie_consent: status,
    cookie_consent_id: id,
    cookie_consent_date: date,
    cookie_preferences: JSON.stringify(preferences),
  }
  const attributes = `Max-Age=${keptDays * 86_400}; Path=/; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}; ${attributes}`)
}
