import { MAX_CACHED_MS } from '@nifty/api/endpoint'
import { STALE_IF_ERROR_MS } from '@nifty/service-kit/database/stale-reads'
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

/** For this time after its end, in milliseconds, a response is sent while its service does not respond. */
const STALE_AFTER_END_MS = STALE_IF_ERROR_MS - MAX_CACHED_MS

type Entry = CachedResponse & { until: number }

/** Responses for this path and query in this coding. No URL contains a space. */
const keyOf = (url: string, encoding: Encoding) => `${encoding} ${url}`

const sizeOf = ({ headers, headersOf304, body }: CachedResponse, key: string) =>
  body.length + 2 * [key, ...headers, ...headersOf304].reduce((sum, text) => sum + text.length, 0)

export type ResponseCache = ReturnType<typeof createResponseCache>

/**
 * Keeps responses until a time of `now` (milliseconds), and a minute longer for `getStale`. Evicts the least recently
 * used above `maxBytes`.
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

  function find(url: string, encoding: Encoding, staleMs: number): CachedResponse | undefined {
    const found = entries.get(keyOf(url, encoding))
    return found && found.until + staleMs > now() ? found : undefined
  }

  return {
    now,
    get: (url: string, encoding: Encoding) => find(url, encoding, 0),
    /** A response that has ended within the last minute, too. */
    getStale: (url: string, encoding: Encoding) => find(url, encoding, STALE_AFTER_END_MS),
    remove: (url: string) => {
      for (const encoding of ['br', 'gzip', 'identity'] as const) entries.delete(keyOf(url, encoding))
    },
    put: (url: string, encoding: Encoding, response: CachedResponse, until: number) => {
      const key = keyOf(url, encoding)
      if ((entries.peek(key)?.until ?? Number.NEGATIVE_INFINITY) < until) entries.set(key, { ...response, until })
    },
  }
}
