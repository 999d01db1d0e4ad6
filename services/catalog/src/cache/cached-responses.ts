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

/** Reads the body of a response; all its queries see one snapshot. */
export type Build = (snapshot: Transaction<Database>) => Promise<unknown>

/** `current`: at most a second old. `latest`: reads the generation from the database first. */
type Freshness = 'current' | 'latest'

export type CachedResponses = {
  /** The response, which includes everything committed before `asOf`, a time of `performance.now()`. */
  get: (key: string, build: Build, freshness?: Freshness) => Promise<{ response: CachedResponse; asOf: number }>
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
    const asOf = performance.now()
    const built = await inSnapshot(db, async (snapshot) => ({
      generation: await readGeneration(snapshot),
      body: await build(snapshot),
    }))
    generation.observe({ generation: built.generation, asOf })
    const response = await compress(key, built.generation, built.body)
    await cache.put(response)
    return response
  }

  return {
    counts: () => ({ ...counts }),
    get: async (key, build, freshness = 'current') => {
      const { generation: current, asOf } = await generation[freshness]()
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
