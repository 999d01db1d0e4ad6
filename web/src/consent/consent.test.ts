import { expect, test } from 'vitest'
import { consentOf, cookiesOf } from './banner/consent-cookies.ts'
import { readConsent, type Status } from './consent.ts'

const now = new Date('2026-03-01T10:00:00.000Z')
const jarOf = (status: Status, chosen = { analytics: false, marketing: false }) =>
  cookiesOf(consentOf(status, chosen, 'an-id', now), false)
    .map((cookie) => cookie.split('; ')[0])
    .join('; ')

test('a choice is stored in four cookies for 365 days and parsed back', () => {
  const cookies = cookiesOf(consentOf('custom', { analytics: true, marketing: false }, 'an-id', now), true)
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
    'cookie_consent',
    'cookie_consent_id',
    'cookie_consent_date',
    'cookie_preferences',
  ])
  for (const cookie of cookies) expect(cookie).toContain('; Max-Age=31536000; Path=/; SameSite=Lax; Secure')
  expect(readConsent(jarOf('custom', { analytics: true, marketing: false }))).toEqual({
    status: 'custom',
    id: 'an-id',
    date: now.toISOString(),
    preferences: { necessary: true, analytics: true, marketing: false },
  })
})

test('all allows every purpose, necessary only the necessary one', () => {
  expect(readConsent(jarOf('all'))?.preferences).toEqual({ necessary: true, analytics: true, marketing: true })
  expect(readConsent(jarOf('necessary', { analytics: true, marketing: true }))?.preferences).toEqual({
    necessary: true,
    analytics: false,
    marketing: false,
  })
})

test.each([
  ['there are no cookies', ''],
  ['the state is unknown', 'cookie_consent=yes'],
  ['a custom consent has no preferences', 'cookie_consent=custom'],
  [
    'a flag is a string',
    'cookie_consent=custom; cookie_preferences={"necessary":true,"analytics":"false","marketing":false}',
  ],
  ['a flag is missing', 'cookie_consent=custom; cookie_preferences={"necessary":true,"analytics":true}'],
  ['the preferences are no JSON', 'cookie_consent=all; cookie_preferences=%7Bbroken'],
  ['the preferences are null', 'cookie_consent=custom; cookie_preferences=null'],
  [
    'the preferences contradict the state',
    'cookie_consent=necessary; cookie_preferences={"necessary":true,"analytics":true,"marketing":false}',
  ],
  ['the date is invalid', 'cookie_consent=all; cookie_consent_date=yesterday'],
])('consent cookies are ignored when %s', (_case, jar) => {
  expect(readConsent(jar)).toBeNull()
})
