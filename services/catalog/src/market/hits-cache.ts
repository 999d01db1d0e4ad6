export const ID_BYTES = 16

/** The first hits of a search in order, or all `total`: `ID_BYTES` of each item's id. */
export type Hits = { total: number; ids: Buffer; similar: boolean }

/** The kept results of one generation. */
export type KeptHits = {
  get: (key: string) => Hits | undefined
  put: (key: string, hits: Hits) => void
}

export type HitsCache = { of: (generation: number) => KeptHits }

/**
 * Keeps the hits of recent searches, so that further pages of a search neither find nor count them again. A cache of this
 * process; evicts the least recently used above `maxBytes`.
 */
export function createHitsCache({ maxBytes }: { maxBytes: number }): HitsCache {
  const entries = new Map<string, Hits & { generation: number }>()
  let bytes = 0

  function evict(key: string) {
    const entry = entries.get(key)
    if (!entry) return
    entries.delete(key)
    bytes -= sizeOf(key, entry)
  }

  return {
    of: (generation) => ({
      get: (key) => {
        const entry = entries.get(key)
        if (entry?.generation !== generation) return undefined
        entries.delete(key)
        entries.set(key, entry)
        return entry
      },
      put: (key, hits) => {
        const stored = entries.get(key)
        if (stored && stored.generation > generation) return
        evict(key)
        entries.set(key, { ...hits, generation })
        bytes += sizeOf(key, hits)
        for (const oldest of entries.keys()) {
          if (bytes <= maxBytes) break
          evict(oldest)
        }
      },
    }),
  }
}

const sizeOf = (key: string, { ids }: Hits) => 2 * key.length + ids.length + 200
