import { LRUCache } from 'lru-cache'

/** A serialised and compressed response body, with the key and the generation it was built for. */
export type CachedResponse = {
  key: string
  generation: number
  /** Digest of the plain body, without quotes. */
  etag: string
  plain: Buffer
  brotli: Buffer
}

/** May evict at any time. `get` returns only what was stored for this key and generation. Never throws. */
export type ResponseCache = {
  get: (key: string, generation: number) => Promise<CachedResponse | undefined>
  put: (response: CachedResponse) => Promise<void>
  /** The response that this process stored last for a key, of any generation. */
  findLast: (key: string) => CachedResponse | undefined
  /** Whether replicas share the cache at the moment; absent for a cache of one process. */
  isShared?: () => Promise<boolean>
  stop: () => Promise<void>
}

export const isFor = (found: CachedResponse | undefined, key: string, generation: number) =>
  found !== undefined && found.key === key && found.generation === generation

/** With room for the gzip body, which is made when a client requests it and is larger than the brotli one. */
const sizeOf = ({ key, plain, brotli }: CachedResponse) =>
  2 * key.length + plain.length + Math.ceil(2.5 * brotli.length) + 200

/** A cache of this process. Evicts the least recently used responses above `maxBytes`. */
export function createMemoryCache({ maxBytes }: { maxBytes: number }): ResponseCache {
  const responses = new LRUCache<string, CachedResponse>({ maxSize: maxBytes, sizeCalculation: sizeOf })
  return {
    get: async (key, generation) => {
      const found = responses.get(key)
      return isFor(found, key, generation) ? found : undefined
    },
    put: async (response) => {
      const stored = responses.peek(response.key)
      if (!stored || stored.generation <= response.generation) responses.set(response.key, response)
    },
    findLast: (key) => responses.peek(key),
    stop: async () => {},
  }
}
