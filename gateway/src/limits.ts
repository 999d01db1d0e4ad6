import { isIPv6 } from 'node:net'

export type Limit = { name: string; perMinute: number }

/** Per client (IPv6: per /64), for routes that are expensive or reveal data. */
const strict: { method: string; path: RegExp; limit: Limit }[] = [
  { method: 'POST', path: /^\/api\/auth\/(login|lockscreen-login)$/, limit: { name: 'login', perMinute: 30 } },
  { method: 'POST', path: /^\/api\/auth\/signup$/, limit: { name: 'signup', perMinute: 10 } },
  { method: 'POST', path: /^\/api\/password-reset\//, limit: { name: 'reset', perMinute: 10 } },
  { method: 'POST', path: /^\/api\/(subscribe|contact)$/, limit: { name: 'forms', perMinute: 10 } },
  { method: 'GET', path: /^\/api\/users\/profile\//, limit: { name: 'profile', perMinute: 60 } },
  { method: 'GET', path: /^\/api\/users\/change\//, limit: { name: 'lock screen', perMinute: 30 } },
]

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
  strict.find((entry) => entry.method === method && entry.path.test(path))?.limit ?? standard

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
