import { expect, test } from 'vitest'
import { clientKey, limitFor, normalizePath } from './limits.ts'

test.each([
  ['POST', '/api/auth/login', 'login'],
  ['POST', '/api/auth/lockscreen-login/', 'login'],
  ['POST', '/%61pi/AUTH/signup?next=/', 'signup'],
  ['POST', '/api/password-reset/reset', 'reset'],
  ['POST', '/api/contact', 'forms'],
  ['GET', '/api/users/profile/@Ada', 'profile'],
  ['GET', '/api/users/profile/a%2Fb', 'profile'],
  ['GET', '/api/users/change/7', 'lock screen'],
  ['GET', '/api/auth/login', 'api'],
  ['GET', '/api/nfts/market', 'api'],
])('%s %s is counted against the limit "%s"', (method, url, name) => {
  expect(limitFor(method, normalizePath(url)).name).toBe(name)
})

test('addresses of one IPv6 network share a counter', () => {
  expect(clientKey('2001:db8:1:2:3:4:5:6')).toBe(clientKey('2001:db8:1:2::9'))
  expect(clientKey('2001:db8:1:2::9')).not.toBe(clientKey('2001:db8:1:3::9'))
  expect(clientKey('::ffff:192.0.2.7')).toBe('192.0.2.7')
})
