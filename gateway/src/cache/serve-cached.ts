import type { IncomingMessage } from 'node:http'
import type { Metrics } from '@nifty/service-kit/base/metrics'
import { encodingFor, includesEtag } from '@nifty/service-kit/http/negotiation'
import type { FastifyInstance } from 'fastify'
import { Counter } from 'prom-client'
import { clientKey } from '../limits/limits.ts'
import type { Pool } from '../pools/pool.ts'
import { isAnonymousGet } from './cached-proxy.ts'
import type { ResponseCache } from './response-cache.ts'

type Options = {
  cache: ResponseCache
  metrics: Metrics
  pool: Pool
  /** Requests that pass the gateway's other checks of their headers. */
  accepts: (request: IncomingMessage) => boolean
  isDraining: () => boolean
}

/**
 * Serves cached responses in a hook, before limits, routes and services: those are most of what a short response costs.
 * A response is found by the exact target of a request that passed all checks.
 */
export function serveCached(app: FastifyInstance, { cache, metrics, pool, accepts, isDraining }: Options) {
  const served = new Counter({
    name: 'nifty_gateway_cached_responses_total',
    help: 'Responses that the gateway sent from its own cache',
    registers: [metrics.registry],
  })

  app.addHook('onRequest', (request, reply, done) => {
    const { headers, raw } = request
    if (!isAnonymousGet(raw) || !accepts(raw) || isDraining()) return done()
    const cached = cache.get(raw.url!, encodingFor(headers['accept-encoding']))
    const leave = cached && pool.tryTake(clientKey(request.ip))
    if (!cached || !leave) return done()
    reply.hijack()
    const response = reply.raw
    response.once('close', leave)
    const isKnown = includesEtag(headers['if-none-match'], cached.etag)
    response.writeHead(isKnown ? 304 : 200, [
      ...(isKnown ? cached.headersOf304 : cached.headers),
      'x-request-id',
      request.id,
    ])
    response.end(isKnown ? undefined : cached.body)
    served.inc()
  })
}
