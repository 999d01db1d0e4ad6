import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Metrics } from '@nifty/service-kit/base/metrics'
import { encodingFor, includesEtag } from '@nifty/service-kit/http/negotiation'
import type { ObserveRequest } from '@nifty/service-kit/http/request-metrics'
import { Counter } from 'prom-client'
import type { Pool } from '../pools/pool.ts'
import { isAnonymousGet } from './cached-proxy.ts'
import type { ResponseCache } from './response-cache.ts'

type Options = {
  cache: ResponseCache
  metrics: Metrics
  observe: ObserveRequest
  pool: Pool
  /** The client that a request counts for in the pool. */
  clientOf: (request: IncomingMessage) => string
  /** Requests that pass the gateway's other checks of their headers. */
  accepts: (request: IncomingMessage) => boolean
  isDraining: () => boolean
}

/**
 * Wraps Fastify's handler of requests: cached responses are sent before it sees the request, because hooks, limits,
 * routes and services are most of what a short response costs (decision 37). A response is found by the exact target of
 * a request that passed all checks. Everything else about the request is checked here, or Fastify gets it.
 */
export function serveCached({ cache, metrics, observe, pool, clientOf, accepts, isDraining }: Options) {
  const served = new Counter({
    name: 'nifty_gateway_cached_responses_total',
    help: 'Responses that the gateway sent from its own cache',
    registers: [metrics.registry],
  })

  function serve(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isAnonymousGet(request) || !accepts(request) || isDraining()) return false
    const { headers } = request
    const cached = cache.get(request.url!, encodingFor(headers['accept-encoding']))
    const leave = cached && pool.tryTake(clientOf(request))
    if (!cached || !leave) return false
    const startedAt = performance.now()
    response.on('close', leave)
    const isKnown = includesEtag(headers['if-none-match'], cached.etag)
    const status = isKnown ? 304 : 200
    response.writeHead(status, [...(isKnown ? cached.headersOf304 : cached.headers), 'x-request-id', randomUUID()])
    response.end(isKnown ? undefined : cached.body)
    served.inc()
    observe({ method: 'GET', route: cached.route, status }, (performance.now() - startedAt) / 1_000)
    return true
  }

  return (handler: RequestListener): RequestListener =>
    (request, response) => {
      if (!serve(request, response)) handler(request, response)
    }
}
