import { parseEnv } from '@nifty/service-kit/config'
import { Type } from 'typebox'

const Env = Type.Object({
  AUTH_INTERNAL_URL: Type.String({ minLength: 1 }),
  MINTING_INTERNAL_URL: Type.String({ minLength: 1 }),
  REDIS_URL: Type.Optional(Type.String({ minLength: 1 })),
  MARKET_CACHE_MB: Type.Integer({ default: 16, minimum: 1 }),
})

export type Config = {
  authUrl: string
  mintingUrl: string
  redisUrl: string | undefined
  /** Memory limit of the response cache of one process. */
  marketCacheBytes: number
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { AUTH_INTERNAL_URL, MINTING_INTERNAL_URL, REDIS_URL, MARKET_CACHE_MB } = parseEnv(Env, env)
  return {
    authUrl: AUTH_INTERNAL_URL,
    mintingUrl: MINTING_INTERNAL_URL,
    redisUrl: REDIS_URL,
    marketCacheBytes: MARKET_CACHE_MB * 1024 * 1024,
  }
}
