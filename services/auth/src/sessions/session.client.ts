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

/** The part of an address that a network keeps: all of IPv4, the first 64 bits of IPv6. */
export function networkOf(ip: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)
  if (v4) return v4[1]!
  const [head = ''] = ip.toLowerCase().split('%', 1)
  const [before = '', after] = head.split('::', 2)
  const left = before.split(':').filter(Boolean)
  const right = (after ?? '').split(':').filter(Boolean)
  const missing = after === undefined ? 0 : Math.max(0, 8 - left.length - right.length)
  const groups = [...left, ...Array<string>(missing).fill('0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}

/** A coarse prefix of an address: `203.0.113.0/24`, `2001:db8:1::/48`. */
export function prefixOf(ip: string): string {
  const network = networkOf(ip)
  if (network.includes('.')) return network.replace(/\d+$/, '0/24')
  return `${network.split(':').slice(0, 3).join(':')}::/48`
}
