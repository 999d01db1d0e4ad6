import type { App } from '@nifty/service-kit/http/app'
import type { RouteHandlerMethod } from 'fastify'
import { cacheableRequest, isCacheable, sendAndCache } from '../cache/cached-proxy.ts'
import type { ResponseCache } from '../cache/response-cache.ts'

/**
 * A handler that lets a service of this process handle the raw request, without a network hop. What may be cached is
 * requested apart.
 */
export function forwardInProcess(service: App, cache: ResponseCache): RouteHandlerMethod {
  return async (request, reply) => {
    if (isCacheable(request)) {
      const requestedAt = cache.now()
      const headers = { host: request.headers.host, ...cacheableRequest(request) }
      const response = await service.inject({ method: 'GET', url: request.raw.url!, headers })
      const received = { status: response.statusCode, headers: response.headers, body: response.rawPayload }
      return sendAndCache(cache, request, reply, { ...received, requestedAt })
    }
    reply.hijack()
    service.routing(request.raw, reply.raw)
  }
}
