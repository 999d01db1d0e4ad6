import type { IncomingHttpHeaders } from 'node:http'
import type { IncomingHttpHeaders as Http2Headers } from 'node:http2'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import replyFrom from '@fastify/reply-from'
import { unavailable } from '@nifty/service-kit/base/errors'
import { sendError } from '@nifty/service-kit/http/error-handler'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { cacheableRequest, type Headers, isCacheable, sendAndCache } from '../cache/cached-proxy.ts'
import type { ResponseCache } from '../cache/response-cache.ts'
import type { Pool } from '../pools/pool.ts'
import { holdPlace, takePlace } from '../pools/pools.ts'
import { forwardedHeaders } from '../security.ts'

const MAX_RETRIES = 3
const RETRY_DELAY_MS = 50
const connectionErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** The largest body that is no upload: the card processor's webhook. */
const MAX_BUFFERED_BYTES = 256 * 1024

export type NetworkOptions = {
  url: string
  bodies: 'buffered' | 'streamed'
  pool: Pool
  cache: ResponseCache
  /** Until the headers of a response, and between two parts of its body. */
  timeoutMs: number
}

/**
 * A handler that proxies requests to a service in another process. A buffered body takes a connection to the service once
 * it has arrived as a whole, so that slow clients hold none. Uploads are too large for that; they have connections apart.
 */
export async function forwardOverNetwork(
  app: FastifyInstance,
  { url: base, bodies, pool, cache, timeoutMs }: NetworkOptions,
): Promise<RouteHandlerMethod> {
  await app.register(replyFrom, {
    base,
    // Undici's defaults open a connection per request under load. The keep-alive timeout comes from the service's headers.
    undici: {
      connections: pool.places,
      pipelining: 1,
      // The library's default accepts every certificate.
      connect: { rejectUnauthorized: true },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    },
    disableRequestLogging: true,
  })
  // After the body has arrived.
  app.addHook('preHandler', (request, reply, done) => takePlace(pool, request, reply, done))
  app.removeAllContentTypeParsers()
  if (bodies === 'streamed') app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
  else
    app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: MAX_BUFFERED_BYTES }, (_request, body, done) =>
      // A stream, because the library encodes everything else as JSON.
      done(null, body.length > 0 ? Readable.from([body]) : undefined),
    )

  return (request, reply) => {
    const hasResponded = holdPlace(request)
    const onError = (reply: object, { error }: { error: unknown }) => {
      hasResponded()
      request.log.warn({ err: error, upstream: base }, 'upstream request failed, returning 503')
      // The library's own error body contains the upstream's host and port.
      sendError(
        unavailable('service_unavailable', 'This part of the store is taking a break, please try again.'),
        request,
        reply as FastifyReply,
      )
    }
    const requestedAt = cache.now()
    return reply.from(undefined, {
      retryDelay,
      rewriteRequestHeaders: (_request, headers) => requestHeaders(headers, request),
      // Hop-by-hop headers describe the connection to the service, not the client's.
      rewriteHeaders: ({ connection, 'keep-alive': _, ...headers }: IncomingHttpHeaders | Http2Headers) => {
        hasResponded()
        return headers
      },
      onError,
      ...(isCacheable(request) && {
        rewriteRequestHeaders: (_request: unknown, { host }: IncomingHttpHeaders | Http2Headers) => ({
          host,
          ...cacheableRequest(request),
        }),
        rewriteHeaders: () => {
          hasResponded()
          return {}
        },
        onResponse: (_request: unknown, _reply: unknown, response: unknown) => {
          const { statusCode: status, headers, stream } = response as UpstreamResponse
          buffer(stream).then(
            (body) => sendAndCache(cache, request, reply, { status, headers, body, requestedAt }),
            (error) => onError(reply, { error }),
          )
        },
      }),
    })
  }
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
