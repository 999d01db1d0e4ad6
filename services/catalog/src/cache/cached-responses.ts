import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { within } from '@nifty/service-kit/base/within'
import { isUnavailable, STALE_IF_ERROR_MS } from '@nifty/service-kit/database/stale-reads'
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

/** A reading that takes longer counts as failed, where a stale response can be sent. */
const READ_WITHIN_MS = { current: 1_000, latest: 3_000 }
/** So does a response that is built for longer. */
const BUILD_WITHIN_MS = 1_500

/**
 * `current`: at most a second old. `latest`: reads the generation from the database first. Both: at most a minute old
 * while the database does not respond.
 */
type Freshness = 'current' | 'latest'

export type CachedResponses = {
  /**
   * The response, which includes everything committed before `asOf`, a time of `performance.now()`. Throws 503, or the
   * error of the database, without one.
   */
  get: (key: string, build: Build, freshness?: Freshness) => Promise<{ response: CachedResponse; asOf: number }>
  /** Responses since the start: from the cache, built, shared with a request that was building them, or stale. */
  counts: () => { hit: number; miss: number; joined: number; stale: number }
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
  const counts = { hit: 0, miss: 0, joined: 0, stale: 0 }
  /** When responses were last current. */
  const currentAt = new WeakMap<CachedResponse, number>()

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

  async function getFresh(key: string, build: Build, freshness: Freshness) {
    const withinMs = findStale(key) && READ_WITHIN_MS[freshness]
    const { generation: current, asOf } = await generation[freshness](withinMs)
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
    return { response: await (withinMs === undefined ? running : within(BUILD_WITHIN_MS, running)), asOf }
  }

  const isRecent = (asOf: number) => performance.now() - asOf < STALE_IF_ERROR_MS

  /** Of this process: a response that was sent as current, or that is of the generation read last. */
  function findStale(key: string) {
    const response = cache.findLast(key)
    if (!response) return undefined
    const last = generation.last()
    const readAt = response.generation === last.generation ? last.asOf : Number.NEGATIVE_INFINITY
    const asOf = Math.max(readAt, currentAt.get(response) ?? Number.NEGATIVE_INFINITY)
    return isRecent(asOf) ? { response, asOf } : undefined
  }

  /** Of another replica: a response of the generation read last. */
  async function findShared(key: string) {
    const { generation: current, asOf } = generation.last()
    const response = isRecent(asOf) && (await cache.get(key, current))
    return response ? { response, asOf } : undefined
  }

  return {
    counts: () => ({ ...counts }),
    get: async (key, build, freshness = 'current') => {
      try {
        const found = await getFresh(key, build, freshness)
        currentAt.set(found.response, found.asOf)
        return found
      } catch (error) {
        const stale = isUnavailable(error) && (findStale(key) ?? (await findShared(key)))
        if (!stale) throw error
        counts.stale++
        return stale
      }
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
