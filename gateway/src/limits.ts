import { isIPv6 } from 'node:net'
import * as auth from '@nifty/api/auth/public'
import type { Endpoint } from '@nifty/api/endpoint'
import { sendContactMessage, subscribeToNewsletter } from '@nifty/api/notification/public'

export type Limit = { name: string; perMinute: number }

/** Per client (IPv6: per /64), for endpoints that are expensive or reveal data. Endpoints of one limit share a counter. */
const strict: { limit: Limit; endpoints: Endpoint[] }[] = [
  { limit: { name: 'login', perMinute: 30 }, endpoints: [auth.login, auth.lockscreenLogin] },
  { limit: { name: 'signup', perMinute: 10 }, endpoints: [auth.signup] },
  { limit: { name: 'reset', perMinute: 10 }, endpoints: [auth.requestPasswordReset, auth.resetPassword] },
  { limit: { name: 'forms', perMinute: 10 }, endpoints: [subscribeToNewsletter, sendContactMessage] },
  { limit: { name: 'profile', perMinute: 60 }, endpoints: [auth.getPublicProfile] },
  { limit: { name: 'lock screen', perMinute: 30 }, endpoints: [auth.getProfile] },
]

/** A parameter may contain a decoded slash. */
const patternOf = (path: string) => new RegExp(`^${path.toLowerCase().replace(/:\w+/g, '.+')}$`)

const patterns = strict.flatMap(({ limit, endpoints }) =>
  endpoints.map(({ method, path }) => ({ limit, method, pattern: patternOf(path) })),
)

const standard: Limit = { name: 'api', perMinute: 1_200 }

/** The path as the router matches it, so that case, percent-encoding and trailing slashes cannot bypass a limit. */
export function normalizePath(url: string): string {
  const path = url.split('?', 1)[0]!
  let decoded = path
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // Malformed encoding: the router rejects the request.
  }
  return decoded.toLowerCase().replace(/(?<=.)\/+$/, '')
}

/** The limit of a route; `path` is normalized. */
export const limitFor = (method: string, path: string): Limit =>
  patterns.find((each) => each.method === method && each.pattern.test(path))?.limit ?? standard

/** Key of the client's counter: the IPv4 address, or the /64 network of an IPv6 address (one customer's network). */
export function clientKey(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = ip.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i)
  if (mapped) return mapped[1]!
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
  return `${groups.slice(0, 4).join(':').toLowerCase()}::/64`
}
