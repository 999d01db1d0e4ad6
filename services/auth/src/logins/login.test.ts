import { expect, test } from 'vitest'
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
