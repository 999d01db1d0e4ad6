import type { Encoding } from '@nifty/service-kit/http/negotiation'
import { LRUCache } from 'lru-cache'

/** A response with status 200, and the 304 to those who have it. Headers are flat: name, value, name, value. */
export type CachedResponse = {
  /** Pattern of the route, for metrics. */
  route: string
  etag: string
  headers: string[]
  headersOf304: string[]
  body: Buffer
}

type Entry = CachedResponse & { until: number }

/** Responses for this path and query in this coding. No URL contains a space. */
const keyOf = (url: string, encoding: Encoding) => `${encoding} ${url}`

const sizeOf = ({ headers, headersOf304, body }: CachedResponse, key: string) =>
  body.length + 2 * [key, ...headers, ...headersOf304].reduce((sum, text) => sum + text.length, 0)

export type ResponseCache = ReturnType<typeof createResponseCache>

/**
 * Keeps responses until a time of `now` (milliseconds) and never returns one later. Evicts the least recently used
 * above `maxBytes`.
 */
export function createResponseCache({
  maxBytes,
  now = () => performance.now(),
}: {
  maxBytes: number
  now?: () => number
}) {
  // Its own times to live are whole milliseconds.
  const entries = new LRUCache<string, Entry>({ maxSize: maxBytes, sizeCalculation: sizeOf })

  return {
    now,
    get: (url: string, encoding: Encoding): CachedResponse | undefined => {
      const key = keyOf(url, encoding)
      const found = entries.get(key)
      if (found && found.until > now()) return found
      entries.delete(key)
      return undefined
    },
    put: (url: string, encoding: Encoding, response: CachedResponse, until: number) => {
      const key = keyOf(url, encoding)
      if ((entries.peek(key)?.until ?? Number.NEGATIVE_INFINITY) < until) entries.set(key, { ...response, until })
    },
  }
}
