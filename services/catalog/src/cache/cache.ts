/** An answer that is ready to be sent, and what it is an answer to. */
export type ReadyAnswer = {
  key: string
  generation: number
  /** Digest of the plain body, without quotes. */
  etag: string
  plain: Buffer
  gzip: Buffer
  brotli: Buffer
}

/**
 * Keeps ready answers. It may forget at any time, and whatever it says is checked: an answer counts only when it
 * carries the very key and generation that were asked for. Never throws.
 */
export type MarketCache = {
  get: (key: string, generation: number) => Promise<ReadyAnswer | undefined>
  put: (answer: ReadyAnswer) => Promise<void>
  /** Whether replicas share it at this moment; absent where it is one process's own. */
  isShared?: () => boolean
  stop: () => Promise<void>
}

export const answers = (found: ReadyAnswer | undefined, key: string, generation: number) =>
  found !== undefined && found.key === key && found.generation === generation

const sizeOf = ({ key, plain, gzip, brotli }: ReadyAnswer) =>
  2 * key.length + plain.length + gzip.length + brotli.length + 200

/** In this process: the least recently used go first. */
export function createMemoryCache({ maxBytes }: { maxBytes: number }): MarketCache {
  const kept = new Map<string, ReadyAnswer>()
  let bytes = 0

  function forget(key: string) {
    const answer = kept.get(key)
    if (!answer) return
    kept.delete(key)
    bytes -= sizeOf(answer)
  }

  return {
    get: async (key, generation) => {
      const found = kept.get(key)
      if (!found) return undefined
      kept.delete(key)
      kept.set(key, found)
      return answers(found, key, generation) ? found : undefined
    },
    put: async (answer) => {
      const older = kept.get(answer.key)
      if (older && older.generation > answer.generation) return
      forget(answer.key)
      kept.set(answer.key, answer)
      bytes += sizeOf(answer)
      for (const oldest of kept.keys()) {
        if (bytes <= maxBytes) break
        forget(oldest)
      }
    },
    stop: async () => {},
  }
}
