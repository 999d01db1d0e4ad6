import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Metrics } from '@nifty/service-kit/base/metrics'
import { encodingFor, includesEtag } from '@nifty/service-kit/http/negotiation'
import type { ObserveRequest } from '@nifty/service-kit/http/request-metrics'
import { Counter } from 'prom-client'
import { isAnonymousGet } from './cached-proxy.ts'
import type { ResponseCache } from './response-cache.ts'

type Options = {
  cache: ResponseCache
  metrics: Metrics
  observe: ObserveRequest
  /** Requests that pass the gateway's other checks of their headers. */
  accepts: (request: IncomingMessage) => boolean
  isDraining: () => boolean
}

/**
 * Serves cached responses before Fastify sees a request: its passes through gateway and service are most of what a short
 * response costs. A response is found by the exact target of a request that passed all checks. Everything else about the
 * request is checked here, or Fastify gets it.
 */
export function serveCached(server: Server, { cache, metrics, observe, accepts, isDraining }: Options) {
  const served = new Counter({
    name: 'nifty_gateway_cached_responses_total',
    help: 'Responses that the gateway sent from its own cache',
    registers: [metrics.registry],
  })

  function serve(request: IncomingMessage, response: ServerResponse): boolean {
    if (!isAnonymousGet(request) || !accepts(request) || isDraining()) return false
    const { headers } = request
    const cached = cache.get(request.url!, encodingFor(headers['accept-encoding']))
    if (!cached) return false
    const startedAt = performance.now()
    const status = includesEtag(headers['if-none-match'], cached.etag) ? 304 : 200
    const isKnown = status === 304
    response.writeHead(status, [...(isKnown ? cached.headersOf304 : cached.headers), 'x-request-id', randomUUID()])
    response.end(isKnown ? undefined : cached.body)
    served.inc()
    observe({ method: 'GET', route: cached.route, status }, (performance.now() - startedAt) / 1_000)
    return true
  }

  const [handle] = server.listeners('request') as [(request: IncomingMessage, response: ServerResponse) => void]
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!serve(request, response)) handle(request, response)
  })
}
