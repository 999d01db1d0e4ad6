import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import rateLimit from '@fastify/rate-limit'
import { API_PREFIX, type FrontEndConfig, getDocs } from '@nifty/api/gateway'
import { healthz } from '@nifty/api/infrastructure'
import type { ServiceName } from '@nifty/api/services'
import { rateLimit as scaledLimit } from '@nifty/service-kit/env'
import { ExpectedError, notFound, tooMany } from '@nifty/service-kit/errors'
import { PLUGIN_TIMEOUT_MS } from '@nifty/service-kit/http/app'
import { drainOnClose } from '@nifty/service-kit/http/drain'
import { sendError } from '@nifty/service-kit/http/error-handler'
import { checkUrl } from '@nifty/service-kit/http/input'
import { requestTracer } from '@nifty/service-kit/http/request-tracer'
import type { Log } from '@nifty/service-kit/logs'
import type { Metrics } from '@nifty/service-kit/metrics/metrics'
import { timeRequests } from '@nifty/service-kit/metrics/requests'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { mergeDocs } from './docs.ts'
import { clientKey, limitFor, normalizePath } from './limits.ts'
import { serveSite } from './pages/site.ts'
import { registerProxies } from './proxy/proxy.ts'
import type { Upstream } from './proxy/upstream.ts'
import {
  applyHeaders,
  contentSecurityPolicy,
  rejectCrossSite,
  securityHeaders,
  setForwardedHeaders,
  type ThirdPartyHosts,
} from './security.ts'

const MAX_HEADERS = 100

export type GatewayOptions = {
  log: Log
  metrics: Metrics
  upstreams: Record<ServiceName, Upstream>
  /** The built front end. */
  webRoot: string
  /** Public scheme, host and port of the store, without a trailing slash. */
  publicUrl: string
  /** Addresses of the proxies in front whose X-Forwarded-For is trusted. */
  trustedProxies: string[]
  /** Multiplies every rate limit. */
  rateLimitFactor: number
  /** Drain period in seconds: how long a closing gateway keeps serving. */
  drainSeconds: number
  thirdPartyHosts: ThirdPartyHosts
  /** Body of `/config.json`. */
  frontEnd: FrontEndConfig
}

/** The only public entry point: security headers, rate limits, proxies to the services, the front end. No business rules. */
export async function buildGateway(options: GatewayOptions) {
  const { log, upstreams, publicUrl, trustedProxies, rateLimitFactor } = options
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustedProxies.length > 0 ? trustedProxies : false,
    genReqId: () => randomUUID(),
    frameworkErrors: sendError,
    routerOptions: { maxParamLength: 400 },
    return503OnClosing: false,
    pluginTimeout: PLUGIN_TIMEOUT_MS,
  })
  drainOnClose(app, () => sleep(options.drainSeconds * 1_000))
  const sitePolicy = contentSecurityPolicy(options.thirdPartyHosts)
  const origin = new URL(publicUrl).origin

  app.addHook('onRequest', async (request, reply) => {
    const path = request.url.split('?', 1)[0]!
    // Set on the raw response: an in-process service writes to it directly.
    applyHeaders(reply, { ...securityHeaders(path, sitePolicy), 'x-request-id': request.id })
    checkUrl(request.url)
    if (request.raw.rawHeaders.length > 2 * MAX_HEADERS)
      throw new ExpectedError('headers_too_large', 'headers_too_large', 'Too many headers')
    rejectCrossSite(request, origin)
    setForwardedHeaders(request)
  })
  // After the client's own trace headers are removed: every trace starts here.
  const trace = requestTracer('gateway')
  if (trace) app.addHook('onRequest', trace)
  app.addHook('onResponse', timeRequests(options.metrics))
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => sendError(notFound('not_found', 'Not found'), request, reply))

  await app.register(rateLimit, {
    global: true,
    hook: 'onRequest',
    timeWindow: 60_000,
    allowList: ({ url }) => !normalizePath(url).startsWith(API_PREFIX),
    keyGenerator: ({ ip, method, url }) => `${limitFor(method, normalizePath(url)).name} ${clientKey(ip)}`,
    max: ({ method, url }) => scaledLimit(limitFor(method, normalizePath(url)).perMinute, rateLimitFactor),
    errorResponseBuilder: (_request, { ttl }) => tooMany(ttl / 1000),
    addHeadersOnExceeding: { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false },
  })

  app.get(healthz.path, async () => ({ ok: true }))
  app.get(getDocs.path, async () => mergeDocs(upstreams, publicUrl))
  await registerProxies(app, upstreams)
  await app.register(serveSite, {
    root: options.webRoot,
    publicUrl,
    catalog: upstreams.catalog,
    frontEnd: options.frontEnd,
  })
  return app
}
