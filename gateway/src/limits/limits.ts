import type { IncomingMessage } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import rateLimit, { normalizeIP, type RateLimitPluginOptions } from '@fastify/rate-limit'
import { type Limit, limits } from '@nifty/api/limits'
import { rateLimit as scaled } from '@nifty/service-kit/base/env'
import { tooMany } from '@nifty/service-kit/base/errors'
import { networkOf, siteOf } from '@nifty/service-kit/http/network'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Limit of a route that is not an endpoint of packages/api; without one it is not limited. */
    limit?: Limit
  }
}

const WINDOW_MS = 60_000
const IPV6_NETWORK_BITS = 64

/** To parse an IPv6 address takes as long as half a cached response. */
const keys = new LRUCache<string, { network: string; site: string }>({ max: 10_000 })

function keysOf(address: string) {
  let found = keys.get(address)
  if (found === undefined) {
    const network = normalizeIP(address, IPV6_NETWORK_BITS)
    found = { network, site: siteOf(networkOf(network)) }
    keys.set(address, found)
  }
  return found
}

/**
 * The network that a client's requests and connections are counted by: an IPv4 address, also mapped into IPv6, or the
 * /64 of an IPv6 address.
 */
export const networkKey = (address: string): string => keysOf(address).network

/** What shares are of: an IPv4 address, or the /48 of an IPv6 address, of which one customer may have all networks. */
export const siteKey = (address: string): string => keysOf(address).site

/**
 * The site of a request that Fastify has not seen: its address is found as Fastify finds `request.ip`. A connection
 * that the client has reset has none any more.
 */
export function siteOfRequest(trustProxy: string[] | false): (request: IncomingMessage) => string {
  if (!trustProxy) return ({ socket }) => siteKey(socket.remoteAddress ?? '')
  const trusts = proxyAddr.compile(trustProxy)
  return (request) => siteKey(proxyAddr(request, trusts) ?? '')
}

/** How many times as much as one of its networks a site of IPv6 has of a narrow limit: it has 65,536 of them. */
export const NETWORKS_PER_SITE = 10

/** The limit of the matched route; undefined where there is none. A path that no route has counts as a page. */
function limitOf({ is404, routeOptions: { config } }: FastifyRequest): Limit | undefined {
  if (is404) return limits.pages
  return config.endpoint ? (config.endpoint.limit ?? limits.api) : config.limit
}

type Options = {
  factor: number
  /** Shared by all gateways of the store; `namespace` keeps stores apart. */
  shared?: { redis: Redis; namespace: string }
}

/**
 * Counts requests by client and limit before anything else is done for them, and refuses those beyond with 429. Each
 * gateway has a count of its own for every limit; narrow ones are counted by site as well, and in Redis, in one atomic
 * script of the library. Without Redis, or while it fails, the own count stands alone.
 */
export async function limitRequests(app: FastifyInstance, { factor, shared }: Options) {
  const options: RateLimitPluginOptions = {
    global: true,
    hook: 'onRequest',
    timeWindow: WINDOW_MS,
    keyGenerator: (request) => `${limitOf(request)?.name} ${networkKey(request.ip)}`,
    max: (request) => scaled(limitOf(request)?.perMinute ?? 0, factor),
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl / 1000),
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  }
  await app.register(rateLimit, { ...options, allowList: (request) => limitOf(request) === undefined })
  await app.register(rateLimit, {
    ...options,
    allowList: (request) => !limitOf(request)?.shared || !siteKey(request.ip).includes(':'),
    keyGenerator: (request) => `${limitOf(request)?.name} ${siteKey(request.ip)}`,
    max: (request) => NETWORKS_PER_SITE * scaled(limitOf(request)?.perMinute ?? 0, factor),
  })
  if (!shared) return
  // After the own count, so that a flood of one client does not reach Redis.
  await app.register(rateLimit, {
    ...options,
    allowList: (request) => !limitOf(request)?.shared,
    redis: shared.redis,
    nameSpace: `nifty:limit:${shared.namespace}:`,
    skipOnError: true,
  })
}
