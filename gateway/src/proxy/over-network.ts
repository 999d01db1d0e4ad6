import type { IncomingHttpHeaders } from 'node:http'
import type { IncomingHttpHeaders as Http2Headers } from 'node:http2'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import httpProxy, { type FastifyHttpProxyOptions } from '@fastify/http-proxy'
import { unavailable } from '@nifty/service-kit/base/errors'
import { sendError } from '@nifty/service-kit/http/error-handler'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as undici from 'undici'
import {
  cacheableRequest,
  type Headers,
  isCacheable,
  responseWithinMs,
  sendAndCache,
  sendStale,
} from '../cache/cached-proxy.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Pool } from '../pools/pool.ts'
import { holdPlace, takePlace } from '../pools/pools.ts'
import { forwardedHeaders } from '../security/security.ts'
import type { AddRoute } from './route.ts'

const MAX_RETRIES = 3
const RETRY_DELAY_MS = 50
const connectionErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** The largest body that is no upload: the card processor's webhook. */
const MAX_BUFFERED_BYTES = 256 * 1024

type Hooks = NonNullable<FastifyHttpProxyOptions['replyOptions']>

export type NetworkOptions = {
  url: string
  bodies: 'buffered' | 'streamed'
  pool: Pool
  cache: ResponseCache
  /** Until the headers of a response, and between two parts of its body. */
  timeoutMs: number
}

/**
 * Proxies routes to a service in another process. A buffered body takes a connection to the service once it has arrived
 * as a whole, so that slow clients hold none. Uploads are too large for that; they have connections apart.
 */
export function proxyOverNetwork(
  app: FastifyInstance,
  { url: upstream, bodies, pool, cache, timeoutMs }: NetworkOptions,
): AddRoute {
  const connections = new undici.Pool(upstream, {
    // The keep-alive timeout comes from the service's headers.
    connections: pool.places,
    pipelining: 1,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
  })
  app.addHook('onClose', () => connections.destroy())
  // After the body has arrived.
  app.addHook('preHandler', (request, reply, done) => takePlace(pool, request, reply, done))
  app.removeAllContentTypeParsers()
  if (bodies === 'streamed') app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  else
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BUFFERED_BYTES }, (_request, body, done) =>
      // A stream, because the library encodes everything else as JSON.
      done(null, body.length > 0 ? Readable.from([body]) : undefined),
    )

  function onError(reply: FastifyReply, error: unknown) {
    reply.request.log.warn({ err: error, upstream }, 'upstream request failed, returning 503')
    // The library's own error body contains the upstream's host and port.
    sendError(
      unavailable('service_unavailable', 'This part of the store is taking a break, please try again.'),
      reply.request,
      reply,
    )
  }

  /** Replaces what would be the client's by what is the same for everyone, and caches the response. */
  const cached = (request: FastifyRequest, reply: FastifyReply): Hooks => {
    const requestedAt = cache.now()
    const timeout = responseWithinMs(cache, request)
    return {
      ...(timeout && { timeout }),
      rewriteRequestHeaders: (_request, { host }) => ({ host, ...cacheableRequest(request) }),
      rewriteHeaders: () => ({}),
      onResponse: (_request, _reply, response) => {
        const { statusCode: status, headers, stream } = response as unknown as UpstreamResponse
        buffer(stream).then(
          (body) => sendAndCache(cache, request, reply, { status, headers, body, requestedAt }),
          (error) => sendStale(cache, request, reply) || onError(reply, error),
        )
      },
    }
  }

  /**
   * The place is also held until the service has responded: the connection to it is in use, though the client may have
   * left.
   */
  function forward(request: FastifyRequest, reply: FastifyReply, path: string, options: Hooks) {
    const hasResponded = holdPlace(request)
    const chosen = isCacheable(request) ? { ...options, ...cached(request, reply) } : options
    try {
      return reply.from(path, {
        ...chosen,
        rewriteHeaders: (headers, sent) => {
          hasResponded()
          return chosen.rewriteHeaders!(headers, sent)
        },
        onError: (_reply, { error }) => {
          hasResponded()
          if (!isCacheable(request) || !sendStale(cache, request, reply)) onError(reply, error)
        },
      })
    } catch (error) {
      hasResponded()
      throw error
    }
  }

  return ({ url, methods, config }) =>
    app.register(httpProxy, {
      upstream,
      // A type that is narrower than what the library takes.
      undici: connections as unknown as NonNullable<FastifyHttpProxyOptions['undici']>,
      routes: [url],
      httpMethods: methods,
      config,
      // Bodies have the parsers above.
      proxyPayloads: false,
      // Redirects are passed on as they are.
      internalRewriteLocationHeader: false,
      disableRequestLogging: true,
      handler: forward,
      replyOptions: {
        retryDelay,
        rewriteRequestHeaders: (request, headers) => requestHeaders(headers, request as FastifyRequest),
        // Hop-by-hop headers describe the connection to the service, not the client's.
        rewriteHeaders: ({ connection, 'keep-alive': _, ...headers }) => headers,
      },
    })
}

/** What the library passes to `onResponse`; its declared type lacks these fields. */
type UpstreamResponse = { statusCode: number; headers: Headers; stream: Readable }

/** Describe the client's connection, not the one to the service; undici rejects some of them. */
const hopByHop = ['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'te', 'trailer', 'upgrade']
const notForwarded = [...hopByHop, 'transfer-encoding', 'http2-settings', 'expect']

/** The gateway's own headers are set last: a client cannot have them removed by naming them in its `Connection`. */
function requestHeaders(headers: IncomingHttpHeaders | Http2Headers, request: FastifyRequest) {
  const kept = { ...headers }
  for (const name of notForwarded) delete kept[name]
  const { traceparent } = request.raw.headers
  return { ...kept, ...forwardedHeaders(request), ...(traceparent ? { traceparent } : {}) }
}

/**
 * Milliseconds until the next attempt, null for no retry. Only GET and HEAD whose connection broke (a killed process)
 * are retried: a write may have taken effect, and a 503 means that the service is overloaded.
 */
const retryDelay = ({
  err,
  req,
  attempt,
}: {
  err: NodeJS.ErrnoException | null
  req: { method: string }
  attempt: number
}) =>
  err?.code && connectionErrors.has(err.code) && /^(GET|HEAD)$/.test(req.method) && attempt < MAX_RETRIES
    ? RETRY_DELAY_MS * (attempt + 1)
    : null
