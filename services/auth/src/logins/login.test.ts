import { expect, test } from 'vitest'
import { isCommonPassword } from '../passwords/common-passwords.ts'
import { delayAfter, networkOf } from './login.ts'

test('delays double from one second to a minute', () => {
  const delays = [1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 1000].map((failures) => delayAfter(failures, 5))
  expect(delays).toEqual([0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60])
})

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
])('%s is in the network %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

test.each([
  'password',
  'Passw0rd',
  'P@ssw0rd!',
  'password2024',
  '12345678',
  '87654321',
  'qwertyuiop',
  'qwerty123456',
  'abcdefgh',
  'abcd1234',
  'aaaaaaaa',
  'abcabcabc',
  'iloveyou1',
  'Dragon2024!',
  'sunshine',
  '1password1',
  'letmein!!!',
  'passwordpassword',
  'nifty2026',
])('%s is a common password', (password) => {
  expect(isCommonPassword(password)).toBe(true)
})

test.each(['correct horse battery staple', 'k8!xWq2p', 'dragonfly on a leaf', 'Tr0ub4dor&3x', 'monkeys-eat-19-figs'])(
  '%s is no common password',
  (password) => {
    expect(isCommonPassword(password)).toBe(false)
  },
)
