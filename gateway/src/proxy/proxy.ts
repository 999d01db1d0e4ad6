import type { IncomingHttpHeaders } from 'node:http'
import type { IncomingHttpHeaders as Http2Headers } from 'node:http2'
import httpProxy from '@fastify/http-proxy'
import { type ServiceName, services } from '@nifty/api/services'
import { unavailable } from '@nifty/service-kit/errors'
import type { App } from '@nifty/service-kit/http/app'
import { sendError } from '@nifty/service-kit/http/error-handler'
import type { FastifyInstance } from 'fastify'
import type { Upstream } from './upstream.ts'

const UPSTREAM_TIMEOUT_MS = 30_000
const MAX_RETRIES = 3
const RETRY_DELAY_MS = 50
const connectionErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Proxies the path prefixes of every service to it; the longest prefix wins. Bodies are passed through unparsed. */
export async function registerProxies(app: FastifyInstance, upstreams: Record<ServiceName, Upstream>) {
  for (const { name, prefixes } of services) {
    const upstream = upstreams[name]
    for (const prefix of prefixes)
      if ('app' in upstream) await app.register(forwardInProcess, { prefix, service: upstream.app })
      else await app.register(httpProxy, proxyOptions(upstream.url, prefix))
  }
}

/** The service runs in this process: its app handles the raw request, without a network hop. */
async function forwardInProcess(app: FastifyInstance, { service }: { service: App }) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const url of ['', '/*'])
    app.all(url, (request, reply) => {
      reply.hijack()
      service.routing(request.raw, reply.raw)
    })
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
  err: (Error & { code?: string }) | null
  req: { method: string }
  attempt: number
}) =>
  err?.code && connectionErrors.has(err.code) && /^(GET|HEAD)$/.test(req.method) && attempt < MAX_RETRIES
    ? RETRY_DELAY_MS * (attempt + 1)
    : null

const proxyOptions = (upstream: string, prefix: string) => ({
  upstream,
  prefix,
  rewritePrefix: prefix,
  // Undici's defaults open a connection per request under load. The keep-alive timeout comes from the service's headers.
  undici: {
    connections: 64,
    pipelining: 1,
    headersTimeout: UPSTREAM_TIMEOUT_MS,
    bodyTimeout: UPSTREAM_TIMEOUT_MS,
  },
  replyOptions: {
    retryDelay,
    // Hop-by-hop headers describe the connection to the service, not the client's.
    rewriteHeaders: ({ connection, 'keep-alive': _, ...headers }: IncomingHttpHeaders | Http2Headers) => headers,
    onError: (reply: any, { error }: { error: Error }) => {
      reply.request.log.warn({ err: error, upstream }, 'upstream request failed, returning 503')
      // The library's own error body contains the upstream's host and port.
      sendError(
        unavailable('service_unavailable', 'This part of the store is taking a break, please try again.'),
        reply.request,
        reply,
      )
    },
  },
})
