import { isIPv6 } from 'node:net'

export type Limit = { name: string; perMinute: number }

/** Requests of one address (IPv6: one /64) to routes that cost much or give something away. */
const narrow: { method: string; path: RegExp; limit: Limit }[] = [
  { method: 'POST', path: /^\/api\/auth\/(login|lockscreen-login)$/, limit: { name: 'login', perMinute: 30 } },
  { method: 'POST', path: /^\/api\/auth\/signup$/, limit: { name: 'signup', perMinute: 10 } },
  { method: 'POST', path: /^\/api\/password-reset\//, limit: { name: 'reset', perMinute: 10 } },
  { method: 'POST', path: /^\/api\/(subscribe|contact)$/, limit: { name: 'forms', perMinute: 10 } },
  { method: 'GET', path: /^\/api\/users\/profile\//, limit: { name: 'profile', perMinute: 60 } },
  { method: 'GET', path: /^\/api\/users\/change\//, limit: { name: 'lock screen', perMinute: 30 } },
]

const wide: Limit = { name: 'api', perMinute: 1_200 }

/** The path as the router will read it, so that case, escapes and trailing slashes do not lead around a limit. */
export function plainPath(url: string): string {
  const path = url.split('?', 1)[0]!
  let decoded = path
  try {
    decoded = decodeURIComponent(path)
  } catch {
    // The router refuses it.
  }
  return decoded.toLowerCase().replace(/(?<=.)\/+$/, '')
}

/** The limit of a route, by its plain path. */
export const limitOf = (method: string, path: string): Limit =>
  narrow.find((entry) => entry.method === method && entry.path.test(path))?.limit ?? wide

/** Addresses of one household or one server share a counter: a /64 is one customer. */
export function callerOf(ip: string): string {
  if (!isIPv6(ip)) return ip
  const mapped = ip.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i)
  if (mapped) return mapped[1]!
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const groups = [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right]
  return `${groups.slice(0, 4).join(':').toLowerCase()}::/64`
}
