import { networkOf, siteOf } from '@nifty/service-kit/http/network'
import type { FastifyRequest } from 'fastify'

/** Where a session was opened from, as its owner's list shows it: no full address and no text that a client chose. */
export type SessionClient = { browser: string; network: string }

export const clientOf = ({ headers, ip }: Pick<FastifyRequest<any>, 'headers' | 'ip'>): SessionClient => ({
  browser: browserOf(headers['user-agent']),
  network: prefixOf(ip),
})

/** The first match counts: browsers also name those that they resemble. */
const browsers: [string, RegExp][] = [
  ['MetaMask', /MetaMaskMobile/],
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\/|\bOpera\b/],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\bFirefox\/|\bFxiOS\//],
  ['Chrome', /\bChrome\/|\bCriOS\/|\bHeadlessChrome\//],
  ['Safari', /\bSafari\//],
]
const systems: [string, RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\biPhone\b|\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
]

/** `Firefox on Windows`, from the names above only. */
export function browserOf(userAgent: string | undefined): string {
  const named = (names: [string, RegExp][]) => names.find(([, pattern]) => pattern.test(userAgent ?? ''))?.[0]
  const [browser = 'Unknown browser', system] = [named(browsers), named(systems)]
  return system ? `${browser} on ${system}` : browser
}

/** A coarse prefix of an address: `203.0.113.0/24`, `2001:db8:1::/48`. */
export function prefixOf(ip: string): string {
  const network = networkOf(ip)
  if (network.includes('.')) return network.replace(/\d+$/, '0/24')
  return `${siteOf(network)}::/48`
}
