import { createHash } from 'node:crypto'
import type { Log } from '@nifty/service-kit/base/logs'
import { connectRedis } from '@nifty/service-kit/database/redis'
import { answers } from '@nifty/service-kit/database/redis-answers'
import { isFor, type ResponseCache } from './response-cache.ts'
import { decode, encode } from './signed-bytes.ts'

const TTL_S = 60

/**
 * Shares responses between replicas. Reads `local` first, and only `local` while Redis is unavailable. Responses from
 * Redis count only if their signature, key and generation match.
 */
export function createRedisCache(deps: {
  url: string
  signingKey: string
  /** The settings that responses depend on: replicas with other ones share nothing with this one. */
  settings: Record<string, boolean>
  local: ResponseCache
  log: Log
}): ResponseCache {
  const { url, signingKey, settings, local, log } = deps
  const { redis, warn } = connectRedis({
    url,
    onUnavailable: (error) => log.warn({ err: error }, 'market cache: Redis unavailable, caching in this process only'),
  })

  // 2 is the version of the format. The generation is part of the name, so that replicas at different generations do
  // not overwrite each other.
  const variant = JSON.stringify(settings)
  const nameOf = (key: string, generation: number) =>
    `nifty:market:2:${generation}:${createHash('sha256').update(`${variant} ${key}`).digest('base64url')}`

  async function getShared(key: string, generation: number) {
    try {
      const bytes = await redis.getBuffer(nameOf(key, generation))
      return bytes ? decode(bytes, signingKey) : undefined
    } catch (error) {
      warn(error)
      return undefined
    }
  }

  return {
    get: async (key, generation) => {
      const own = await local.get(key, generation)
      if (own) return own
      const found = await getShared(key, generation)
      if (!found || !isFor(found, key, generation)) return undefined
      await local.put(found)
      return found
    },
    put: async (response) => {
      await local.put(response)
      const { key, generation } = response
      // Not awaited: a response that was not stored is built again.
      redis.set(nameOf(key, generation), encode(response, signingKey), 'EX', TTL_S).catch(warn)
    },
    findLast: local.findLast,
    isShared: () => answers(redis),
    stop: async () => {
      redis.disconnect()
      await local.stop()
    },
  }
}
