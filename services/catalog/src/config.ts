import { parseEnv } from '@nifty/service-kit/env'
import { Type } from 'typebox'

const Env = Type.Object({
  REDIS_URL: Type.Optional(Type.String({ minLength: 1 })),
  MARKET_CACHE_MB: Type.Integer({ default: 16, minimum: 1 }),
})

export type Config = {
  redisUrl: string | undefined
  /** Memory limit of the response cache of one process. */
  marketCacheBytes: number
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { REDIS_URL, MARKET_CACHE_MB } = parseEnv(Env, env)
  return {
    redisUrl: REDIS_URL,
    marketCacheBytes: MARKET_CACHE_MB * 1024 * 1024,
  }
}
