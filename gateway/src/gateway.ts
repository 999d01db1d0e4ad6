import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import rateLimit from '@fastify/rate-limit'
import { ExpectedError, notFound, tooMany } from '@nifty/service-kit/errors'
import { drainOnClose } from '@nifty/service-kit/http/drain'
import { checkUrl } from '@nifty/service-kit/http/input'
import { sendError } from '@nifty/service-kit/http/problems'
import { requestTracer } from '@nifty/service-kit/http/request-tracer'
import type { Log } from '@nifty/service-kit/logs'
import type { Metrics } from '@nifty/service-kit/metrics/metrics'
import { timeRequests } from '@nifty/service-kit/metrics/requests'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { mergeDocs } from './docs.ts'
import { openDoors } from './doors/doors.ts'
import type { Upstream } from './doors/upstream.ts'
import { callerOf, limitOf, plainPath } from './limits.ts'
import { serveSite } from './pages/site.ts'
import type { ServiceName } from './routes.ts'
import {
  applyHeaders,
  contentSecurityPolicy,
  type OutsideHosts,
  refuseForeignSites,
  securityHeaders,
  tellWhoCalls,
} from './security.ts'

const MAX_HEADERS = 100

export type GatewayParts = {
  log: Log
  metrics: Metrics
  upstreams: Record<ServiceName, Upstream>
  /** The built front end. */
  webRoot: string
  /** Scheme, host and port under which people know the store. */
  publicUrl: string
  /** Addresses of proxies in front of this door whose word on the caller's address counts. */
  trustedProxies: string[]
  /** Multiplies every limit; campaigns raise it. */
  rateLimitFactor: number
  /** How long it answers on when it is closed. */
  drainSeconds: number
  outsideHosts: OutsideHosts
  /** What `/config.json` tells the front end. */
  frontEnd: Record<string, unknown>
}

/** The one public door. It routes, guards and limits, serves the front end, and holds no business rule. */
export async function buildGateway(parts: GatewayParts) {
  const { log, upstreams, publicUrl, trustedProxies, rateLimitFactor } = parts
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    genReqId: () => randomUUID(),
    frameworkErrors: sendError,
    routerOptions: { maxParamLength: 400 },
    return503OnClosing: false,
  })
  drainOnClose(app, () => sleep(parts.drainSeconds * 1_000))
  const sitePolicy = contentSecurityPolicy(parts.outsideHosts)
  const origin = new URL(publicUrl).origin

  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    // Set on the raw answer, so that they are there whoever answers.
    applyHeaders(reply, { ...securityHeaders(path, sitePolicy), 'x-request-id': request.id })
    checkUrl(request.url)
    if (request.raw.rawHeaders.length > 2 * MAX_HEADERS)
      throw new ExpectedError('headers_too_large', 'headers_too_large', 'Too many headers')
    refuseForeignSites(request, origin)
    tellWhoCalls(request)
  })
  // After what the caller claims is gone: a trace begins at this door.
  const trace = requestTracer('gateway')
  if (trace) app.addHook('onRequest', trace)
  app.addHook('onResponse', timeRequests(parts.metrics))
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => sendError(notFound('not_found', 'Not found'), request, reply))

  await app.register(rateLimit, {
    global: true,
    hook: 'onRequest',
    timeWindow: 60_000,
    allowList: ({ url }) => !plainPath(url).startsWith('/api/'),
    keyGenerator: ({ ip, method, url }) => `${limitOf(method, plainPath(url)).name} ${callerOf(ip)}`,
    max: ({ method, url }) => Math.ceil(limitOf(method, plainPath(url)).perMinute * rateLimitFactor),
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl / 1000),
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  })

  app.get('/healthz', async () => ({ ok: true }))
  app.get('/api/docs', async () => mergeDocs(upstreams, publicUrl))
  await openDoors(app, upstreams)
  await app.register(serveSite, {
    root: parts.webRoot,
    publicUrl,
    catalog: upstreams.catalog,
    frontEnd: parts.frontEnd,
  })
  return app
}
