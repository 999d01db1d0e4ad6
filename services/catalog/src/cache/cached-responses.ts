import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { inSnapshot } from '@nifty/service-kit/database/transaction'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../db.ts'
import { type Generation, readGeneration } from './generation.ts'
import type { CachedResponse, ResponseCache } from './response-cache.ts'

const toBrotli = promisify(brotliCompress)
/** Smaller than gzip's best, at a fraction of the CPU time of brotli's best. */
const BROTLI_QUALITY = 4

/** Reads the body of a response; all its queries see one snapshot, which is of this generation. */
export type Build = (snapshot: Transaction<Database>, generation: number) => Promise<unknown>

/** `recent`: at most a second old. `latest`: checks the generation in the database first. */
type Freshness = 'recent' | 'latest'

export type CachedResponses = {
  /** The response, which includes everything committed before `asOf`, a time of `performance.now()`. */
  get: (key: string, build: Build, freshness?: Freshness) => Promise<{ response: CachedResponse; asOf: number }>
  /** Responses from here on include everything committed before the call. */
  invalidate: () => void
  /** Responses since the start: from the cache, built, or shared with a request that was building them. */
  counts: () => { hit: number; miss: number; joined: number }
}

/**
 * Caches responses by key and generation. Concurrent requests share one build. Body and generation come from the same
 * snapshot, so an older body never carries a newer generation. Failed builds are not cached.
 */
export function createCachedResponses(deps: {
  db: Kysely<Database>
  cache: ResponseCache
  generation: Generation
}): CachedResponses {
  const { db, cache, generation } = deps
  const building = new Map<string, Promise<CachedResponse>>()
  const counts = { hit: 0, miss: 0, joined: 0 }

  async function buildAndCache(key: string, build: Build): Promise<CachedResponse> {
    const { body, seen } = await inSnapshot(db, async (snapshot) => {
      const seen = await readGeneration(snapshot)
      return { seen, body: await build(snapshot, seen) }
    })
    generation.observe(seen)
    const response = await compress(key, seen, body)
    await cache.put(response)
    return response
  }

  return {
    invalidate: generation.invalidate,
    counts: () => ({ ...counts }),
    get: async (key, build, freshness = 'recent') => {
      const { generation: current, asOf } = await (freshness === 'latest' ? generation.refresh() : generation.current())
      const cached = await cache.get(key, current)
      if (cached) {
        counts.hit++
        return { response: cached, asOf }
      }
      const buildKey = `${current} ${key}`
      counts[building.has(buildKey) ? 'joined' : 'miss']++
      const running = building.get(buildKey) ?? buildAndCache(key, build).finally(() => building.delete(buildKey))
      building.set(buildKey, running)
      // The snapshot of the build includes at least the generation for which it was started.
      return { response: await running, asOf }
    },
  }
}

async function compress(key: string, generation: number, body: unknown): Promise<CachedResponse> {
  const plain = Buffer.from(JSON.stringify(body))
  const params = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }
  const brotli = await toBrotli(plain, params)
  return { key, generation, etag: digest(plain), plain, brotli }
}

const digest = (plain: Buffer) => createHash('sha256').update(plain).digest('base64url').slice(0, 27)
