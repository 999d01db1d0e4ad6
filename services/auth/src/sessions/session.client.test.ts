import { networkOf, siteOf } from '@nifty/service-kit/http/network'
import { expect, test } from 'vitest'
import { browserOf, prefixOf } from './session.client.ts'

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
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2::6', '2001:db8:1'],
  ['::1', '0:0:0'],
])('%s is of the site %s', (ip, site) => {
  expect(siteOf(networkOf(ip))).toBe(site)
})

test.each([
  ['203.0.113.9', '203.0.113.0/24'],
  ['::ffff:203.0.113.9', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['::1', '0:0:0::/48'],
])('%s has the prefix %s', (ip, prefix) => {
  expect(prefixOf(ip)).toBe(prefix)
})

const like = 'Mozilla/5.0'
const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

test.each([
  [`${like} (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0`, 'Firefox on Windows'],
  [`${like} (Windows NT 10.0; Win64; x64) ${webKit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge on Windows'],
  [`${like} (Macintosh; Intel Mac OS X 10_15_7) ${webKit} Version/26.0 Safari/605.1.15`, 'Safari on macOS'],
  [`${like} (iPhone; CPU iPhone OS 18_6 like Mac OS X) ${webKit} CriOS/142.0 Mobile Safari/604.1`, 'Chrome on iOS'],
  [
    `${like} (Linux; Android 16; SM-S931B) ${webKit} SamsungBrowser/29.0 Chrome/136.0 Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`${like} (X11; Linux x86_64) ${webKit} HeadlessChrome/142.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  [
    `${like} (Linux; Android 16) ${webKit} Chrome/142.0 Mobile Safari/537.36 WebView MetaMaskMobile`,
    'MetaMask on Android',
  ],
  ['node', 'Unknown browser'],
  ['<script>alert(1)</script> your account is locked, call 555 0100', 'Unknown browser'],
  [undefined, 'Unknown browser'],
])('the user agent %s is %s', (userAgent, browser) => {
  expect(browserOf(userAgent)).toBe(browser)
})
