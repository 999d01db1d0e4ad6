import { Auctions, Offers, parseEnv } from '@nifty/service-kit/base/env'
import { Type } from 'typebox'

const Env = Type.Object({
  /**
   * Redis: responses of the market that replicas share, and narrow limits that gateways share. Unset: the memory of
   * each process.
   */
  REDIS_URL: Type.Optional(Type.String({ minLength: 1 })),
  /** Signs what replicas share in Redis; required with it. */
  CACHE_SIGNING_KEY: Type.Optional(Type.String({ minLength: 16 })),
  /** Memory for cached responses of one process. */
  MARKET_CACHE_MB: Type.Integer({ default: 16, minimum: 1 }),
  /** Whether buyers can make offers. Those that are open are decided without it. */
  OFFERS: Offers,
  /** Whether auctions and bids can begin. Auctions that are open are decided without it. */
  AUCTIONS: Auctions,
})

export type Config = {
  /** Replicas sign the entries that they cache in Redis, and ignore entries without a valid signature. */
  redis: { url: string; signingKey: string } | undefined
  /** Memory limit of the response cache of one process. */
  marketCacheBytes: number
  /** Whether offers can begin. */
  offers: boolean
  /** Whether auctions and bids can begin. */
  auctions: boolean
}

export function readConfig(env: NodeJS.ProcessEnv): Config {
  const { REDIS_URL, CACHE_SIGNING_KEY, MARKET_CACHE_MB, OFFERS, AUCTIONS } = parseEnv(Env, env)
  if (REDIS_URL && !CACHE_SIGNING_KEY) throw new Error('CACHE_SIGNING_KEY is missing: REDIS_URL needs it')
  return {
    redis: REDIS_URL ? { url: REDIS_URL, signingKey: CACHE_SIGNING_KEY! } : undefined,
    marketCacheBytes: MARKET_CACHE_MB * 1024 * 1024,
    offers: OFFERS,
    auctions: AUCTIONS,
  }
}
