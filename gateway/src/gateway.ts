import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FrontEndConfig } from '@nifty/api/gateway'
import { healthz } from '@nifty/api/infrastructure'
import type { ServiceName } from '@nifty/api/services'
import { readContent } from '@nifty/content/content'
import { readBranding } from '@nifty/service-kit/base/branding'
import { ExpectedError, invalid, notFound } from '@nifty/service-kit/base/errors'
import type { Log } from '@nifty/service-kit/base/logs'
import type { Metrics } from '@nifty/service-kit/base/metrics'
import { PLUGIN_TIMEOUT_MS } from '@nifty/service-kit/http/app'
import { drainOnClose } from '@nifty/service-kit/http/drain'
import { sendError } from '@nifty/service-kit/http/error-handler'
import { checkEncoding, checkUrl } from '@nifty/service-kit/http/input'
import { timeRequests } from '@nifty/service-kit/http/request-metrics'
import { requestTracer } from '@nifty/service-kit/http/request-tracer'
import { type ResponseLimits, responseLimits } from '@nifty/service-kit/http/server'
import { httpsOption, renewCertificate, type TlsFiles } from '@nifty/service-kit/http/tls'
import type { Upstream } from '@nifty/service-kit/http/upstream'
import { createErrorPage, needsErrorPage } from '@nifty/site/documents/error-page'
import { serveSite } from '@nifty/site/documents/site'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyReply,
  type FastifyRequest,
  LogController,
  type preHandlerHookHandler,
} from 'fastify'
import { createResponseCache } from './cache/response-cache.ts'
import { serveCached } from './cache/serve-cached.ts'
import { protectConnections, type RequestTimeouts, requestTimeouts, serverOptions } from './connections/connections.ts'
import { docsRoutes } from './docs/docs.routes.ts'
import { limitRequests, siteKey, siteOfRequest } from './limits/limits.ts'
import { sharedLimitsCollector } from './limits/shared-limits.ts'
import { type PoolSizes, poolFactory, poolSizes, takePlace } from './pools/pools.ts'
import { registerProxies } from './proxy/proxy.ts'
import {
  applyHeaders,
  contentSecurityPolicy,
  crossSiteGuard,
  headersFor,
  setForwardedHeaders,
  type ThirdPartyHosts,
} from './security/security.ts'

const MAX_HEADERS = 100
const UPSTREAM_TIMEOUT_MS = 30_000
const CACHE_BYTES = 16 * 1024 * 1024

const hasTooManyHeaders = ({ rawHeaders }: IncomingMessage) => rawHeaders.length > 2 * MAX_HEADERS

/** Node ignores all but the first one; RFC 9112 (3.2) demands a 400. */
const hasOneHost = ({ headers, rawHeaders }: IncomingMessage) =>
  Boolean(headers.host) && rawHeaders.filter((name, at) => at % 2 === 0 && /^host$/i.test(name)).length === 1

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
  /** Where gateways share narrow limits; absent: each gateway counts on its own. */
  redisUrl?: string
  /** Absent: HTTP, as behind a proxy that ends TLS. */
  tls?: TlsFiles
  /** Default: `requestTimeouts`. */
  timeouts?: RequestTimeouts
  /** Default: `responseLimits`. */
  responses?: ResponseLimits
  /** Default: `poolSizes`. */
  pools?: PoolSizes
  /**
   * How long a service in another process may take until it responds, and between two parts of a body; 30 s by default.
   */
  upstreamTimeoutMs?: number
  /** Drain period in seconds: how long a closing gateway keeps serving. */
  drainSeconds: number
  thirdPartyHosts: ThirdPartyHosts
  /** Folder of logo, icons, theme and background of share images. */
  brandingDir?: string | undefined
  /** See `HeaderSettings`; false by default. */
  hstsSubdomains?: boolean
  /** Folder with the shop's own texts; absent: the repository's. */
  contentDir?: string
  /** Body of `/config.json`, without what the texts name. */
  frontEnd: Omit<FrontEndConfig, 'termsVersion'>
}

/**
 * The only public entry point: security headers, rate limits, proxies to the services, the front end. No business
 * rules. Throws a ContentError for texts that cannot be shown.
 */
export async function buildGateway(options: GatewayOptions) {
  const { log, upstreams, publicUrl, trustedProxies, rateLimitFactor, timeouts = requestTimeouts } = options
  if (publicUrl.startsWith('https:') && trustedProxies.length === 0 && !options.tls)
    log.warn('gateway: TRUSTED_PROXIES is not set behind a TLS proxy: all visitors share the limits of one client')
  const { hstsSubdomains = false } = options
  const branding = readBranding(options.brandingDir)
  const headerSettings = { sitePolicy: contentSecurityPolicy(options.thirdPartyHosts, branding.style), hstsSubdomains }
  const rejectCrossSite = crossSiteGuard(new URL(publicUrl).origin, log)
  const { store, company } = options.frontEnd
  const content = readContent(options.contentDir, { store, company })
  const frontEnd = { ...options.frontEnd, termsVersion: content.texts.terms.version }
  const sendErrorPage = await createErrorPage({ root: options.webRoot, publicUrl, store, branding, content })
  const sendFailure = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { statusCode = 500 } = error as { statusCode?: number }
    return needsErrorPage(request, statusCode) ? sendErrorPage(reply, statusCode) : sendError(error, request, reply)
  }
  // Set on the raw response: an in-process service writes to it directly.
  const setHeaders = (request: FastifyRequest, reply: FastifyReply) =>
    applyHeaders(reply, headersFor(request, headerSettings))

  const connections = protectConnections({ ...options, headerSettings, limits: options.responses ?? responseLimits })
  const createPool = poolFactory(options.pools ?? poolSizes, rateLimitFactor)
  const own = createPool('own')
  const trustProxy = trustedProxies.length > 0 ? trustedProxies : false
  const { observe, onResponse } = timeRequests(options.metrics)
  const cache = createResponseCache({ maxBytes: CACHE_BYTES })
  const cachedFirst = serveCached({
    cache,
    metrics: options.metrics,
    observe,
    pool: own,
    clientOf: siteOfRequest(trustProxy),
    accepts: (request) => hasOneHost(request) && !hasTooManyHeaders(request),
    isDraining: () => isDraining(),
  })
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy,
    ...serverOptions(timeouts),
    serverFactory: (handler, server) => connections.serverFactory(cachedFirst(handler), server),
    // Each server has a handler of its own.
    clientErrorHandler: () => {},
    ...httpsOption(options.tls, serverOptions(timeouts).http),
    genReqId: () => randomUUID(),
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply)
      sendFailure(error, request, reply)
    },
    routerOptions: { maxParamLength: 400 },
    return503OnClosing: false,
    pluginTimeout: PLUGIN_TIMEOUT_MS,
  })
  renewCertificate(app, { files: options.tls, log })
  connections.limitBodies(app as never, timeouts)
  const isDraining = drainOnClose(app, () => sleep(options.drainSeconds * 1_000))
  const waitForPlace: preHandlerHookHandler = (request, reply, done) => takePlace(own, request, reply, done)
  app.addHook('onRequest', async (request, reply) => {
    setHeaders(request, reply)
    checkUrl(request.url)
    checkEncoding(request.url)
    if (!hasOneHost(request.raw)) throw invalid('invalid_request', 'The request must name one host')
    if (hasTooManyHeaders(request.raw))
      throw new ExpectedError('headers_too_large', 'headers_too_large', 'Too many headers')
    rejectCrossSite(request)
    setForwardedHeaders(request)
  })
  // After the client's own trace headers are removed: every trace starts here.
  const trace = requestTracer('gateway')
  if (trace) app.addHook('onRequest', trace)
  app.addHook('onResponse', onResponse)
  app.setErrorHandler(sendFailure)

  // No body is read but by proxies over the network, after all checks and limits.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))

  const onUnavailable = (error: unknown) =>
    log.warn({ err: error }, 'rate limits: Redis unavailable, counting in this process only')
  // Narrow limits are counted in it by all gateways; while it is unavailable each goes on with its own count.
  const redis = options.redisUrl ? await connectTo(options.redisUrl, onUnavailable) : undefined
  options.metrics.add(sharedLimitsCollector(redis))
  app.addHook('onClose', async () => redis?.disconnect())
  const shared = redis && { redis, namespace: new URL(publicUrl).host }
  await limitRequests(app as never, { factor: rateLimitFactor, shared })
  app.setNotFoundHandler({ preHandler: app.rateLimit() as never }, (request, reply) =>
    sendFailure(notFound('not_found', 'Not found'), request, reply),
  )

  app.get(healthz.path, async () => ({ ok: true }))
  await app.register(async (scope) => {
    scope.addHook('preHandler', waitForPlace)
    await docsRoutes(scope, { upstreams, publicUrl, title: options.frontEnd.store.name })
  })
  await registerProxies(app, upstreams, {
    cache,
    createPool,
    timeoutMs: options.upstreamTimeoutMs ?? UPSTREAM_TIMEOUT_MS,
  })
  await app.register(async (scope) => {
    scope.addHook('preHandler', waitForPlace)
    await serveSite(scope, {
      root: options.webRoot,
      publicUrl,
      catalog: upstreams.catalog,
      minting: upstreams.minting,
      clientOf: siteKey,
      frontEnd,
      branding,
      content,
    })
  })
  return app
}

/** A store in one process does not load the client of Redis. */
async function connectTo(url: string, onUnavailable: (error: unknown) => void) {
  const { connectRedis } = await import('@nifty/service-kit/database/redis')
  return connectRedis({ url, onUnavailable }).redis
}
