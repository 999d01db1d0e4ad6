import type { Encoding } from '@nifty/service-kit/http/negotiation'

/** A response with status 200, and the 304 to those who have it. Headers are flat: name, value, name, value. */
export type CachedResponse = {
  /** Pattern of the route, for metrics. */
  route: string
  etag: string
  headers: string[]
  headersOf304: string[]
  body: Buffer
}

type Entry = CachedResponse & { key: string; until: number; bytes: number }

/** Responses for this path and query in this coding. No URL contains a space. */
const keyOf = (url: string, encoding: Encoding) => `${encoding} ${url}`

const sizeOf = ({ headers, headersOf304, body }: CachedResponse, key: string) =>
  body.length + 2 * [key, ...headers, ...headersOf304].reduce((sum, text) => sum + text.length, 0)

export type ResponseCache = ReturnType<typeof createResponseCache>

/**
 * Keeps responses until a time of `now` (milliseconds) and never returns one later. Evicts the least recently used above
 * `maxBytes`.
 */
export function createResponseCache({
  maxBytes,
  now = () => performance.now(),
}: {
  maxBytes: number
  now?: () => number
}) {
  const entries = new Map<string, Entry>()
  let bytes = 0
  /** The entry that was used last, which is in its place. */
  let newest: Entry | undefined

  function remove(entry: Entry) {
    entries.delete(entry.key)
    bytes -= entry.bytes
  }

  return {
    now,
    get: (url: string, encoding: Encoding): CachedResponse | undefined => {
      const found = entries.get(keyOf(url, encoding))
      if (!found) return undefined
      if (found.until <= now()) {
        remove(found)
        return undefined
      }
      if (found === newest) return found
      entries.delete(found.key)
      entries.set(found.key, found)
      newest = found
      return found
    },
    put: (url: string, encoding: Encoding, response: CachedResponse, until: number) => {
      const key = keyOf(url, encoding)
      const former = entries.get(key)
      if (former && former.until >= until) return
      if (former) remove(former)
      const entry = { ...response, key, until, bytes: sizeOf(response, key) }
      entries.set(key, entry)
      newest = entry
      bytes += entry.bytes
      for (const oldest of entries.values()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
  }
}
