import { createHash } from 'node:crypto'
import type { Log } from '@nifty/service-kit/logs'
import { Redis } from 'ioredis'
import { answers, type MarketCache } from './cache.ts'
import { fromBytes, toBytes } from './signed-bytes.ts'

/** Longer than this nobody waits for Redis: the database answers as well. */
const WAIT_MS = 200
const KEEP_S = 60
const SAY_AGAIN_MS = 30_000

/**
 * Shares ready answers between replicas. `near` is this process's own cache: it is asked first, and alone while Redis
 * is gone. What Redis holds is believed only with our seal, for the very key and generation that were asked for.
 */
export function createRedisCache(deps: { url: string; secret: string; near: MarketCache; log: Log }): MarketCache {
  const { url, secret, near, log } = deps
  const redis = new Redis(url, {
    commandTimeout: WAIT_MS,
    connectTimeout: 2_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  })
  let saidAt = Number.NEGATIVE_INFINITY
  const complain = (error: unknown) => {
    if (performance.now() - saidAt < SAY_AGAIN_MS) return
    saidAt = performance.now()
    log.warn({ err: error }, 'redis is gone, the market is kept in this process alone')
  }
  redis.on('error', complain)

  // The generation is part of the name, so that replicas that are a moment apart do not overwrite each other.
  const nameOf = (key: string, generation: number) =>
    `nifty:market:${generation}:${createHash('sha256').update(key).digest('base64url')}`

  async function far(key: string, generation: number) {
    try {
      const bytes = await redis.getBuffer(nameOf(key, generation))
      return bytes ? fromBytes(bytes, secret) : undefined
    } catch (error) {
      complain(error)
      return undefined
    }
  }

  return {
    get: async (key, generation) => {
      const own = await near.get(key, generation)
      if (own) return own
      const found = await far(key, generation)
      if (!found || !answers(found, key, generation)) return undefined
      await near.put(found)
      return found
    },
    put: async (answer) => {
      await near.put(answer)
      const { key, generation } = answer
      // Nobody waits for it: an answer that was not kept is built again.
      redis.set(nameOf(key, generation), toBytes(answer, secret), 'EX', KEEP_S).catch(complain)
    },
    isShared: () => redis.status === 'ready',
    stop: async () => {
      redis.disconnect()
      await near.stop()
    },
  }
}
