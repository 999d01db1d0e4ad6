import { within } from '@nifty/service-kit/base/within'
import { admitBy } from '@nifty/service-kit/http/admission'
import type { App } from '@nifty/service-kit/http/app'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { cacheableRequest, isCacheable, responseWithinMs, sendAndCache, sendStale } from '../cache/cached-proxy.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Pool } from '../pools/pool.ts'
import { takePlace } from '../pools/pools.ts'
import type { AddRoute } from './route.ts'

type Options = { service: App; pool: Pool; cache: ResponseCache }

/**
 * Lets a service of this process handle the raw requests of routes, without a network hop. What may be cached is
 * requested apart.
 */
export function proxyInProcess(app: FastifyInstance, { service, pool, cache }: Options): AddRoute {
  const handler: RouteHandlerMethod = async (request, reply) => {
    if (isCacheable(request)) {
      await placeOf(pool, request, reply)
      const requestedAt = cache.now()
      const headers = { host: request.headers.host, ...cacheableRequest(request) }
      const requesting = service.inject({ method: 'GET', url: request.raw.url!, headers })
      const ms = responseWithinMs(cache, request)
      const response = await (ms ? within(ms, requesting) : requesting).catch((error) => {
        if (!sendStale(cache, request, reply)) throw error
      })
      if (!response) return reply
      const received = { status: response.statusCode, headers: response.headers, body: response.rawPayload }
      return sendAndCache(cache, request, reply, { ...received, requestedAt })
    }
    admitBy(request.raw, (done) => takePlace(pool, request, reply, done))
    reply.hijack()
    service.routing(request.raw, reply.raw)
  }
  return ({ url, methods, config }) => void app.route({ url, method: methods, exposeHeadRoute: false, config, handler })
}

const placeOf = (pool: Pool, request: FastifyRequest, reply: FastifyReply) =>
  new Promise<void>((resolve, reject) =>
    takePlace(pool, request, reply, (error) => (error ? reject(error) : resolve())),
  )
