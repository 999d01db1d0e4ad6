import type { IncomingHttpHeaders } from 'node:http'
import type { IncomingHttpHeaders as Http2Headers } from 'node:http2'
import httpProxy from '@fastify/http-proxy'
import { unavailable } from '@nifty/service-kit/errors'
import type { App } from '@nifty/service-kit/http/app'
import { sendError } from '@nifty/service-kit/http/problems'
import type { FastifyInstance } from 'fastify'
import { routes, type ServiceName } from '../routes.ts'
import type { Upstream } from './upstream.ts'

const ANSWER_WITHIN_MS = 30_000
const ASK_AGAIN = 3
const ASK_AGAIN_AFTER_MS = 50
const lineBroke = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/** Opens every prefix of the routing table to its service. Bodies pass unread: only the service judges them. */
export async function openDoors(app: FastifyInstance, upstreams: Record<ServiceName, Upstream>) {
  for (const [prefix, name] of Object.entries(routes)) {
    const upstream = upstreams[name]
    if ('app' in upstream) await app.register(handOver, { prefix, service: upstream.app })
    else await app.register(httpProxy, proxyTo(upstream.url, prefix))
  }
}

/** The service is in this process: its app gets the request itself, without a hop. */
async function handOver(app: FastifyInstance, { service }: { service: App }) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  for (const url of ['', '/*'])
    app.all(url, (request, reply) => {
      reply.hijack()
      service.routing(request.raw, reply.raw)
    })
}

/**
 * A question whose line broke (the process was killed) goes to the next process. Nothing else is asked twice: a write
 * may have been heard, and a service that answers "busy" has no need of more to do.
 */
const pauseBeforeAsking = ({
  err,
  req,
  attempt,
}: {
  err: (Error & { code?: string }) | null
  req: { method: string }
  attempt: number
}) =>
  err?.code && lineBroke.has(err.code) && /^(GET|HEAD)$/.test(req.method) && attempt < ASK_AGAIN
    ? ASK_AGAIN_AFTER_MS * (attempt + 1)
    : null

const proxyTo = (upstream: string, prefix: string) => ({
  upstream,
  prefix,
  rewritePrefix: prefix,
  // Undici's defaults would open a connection per request under load. How long an idle one is kept, the service says.
  undici: {
    connections: 64,
    pipelining: 1,
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
  },
  replyOptions: {
    retryDelay: pauseBeforeAsking,
    // What a service says of its connection to the gateway is not true of the caller's.
    rewriteHeaders: ({ connection, 'keep-alive': _, ...headers }: IncomingHttpHeaders | Http2Headers) => headers,
    onError: (reply: any, { error }: { error: Error }) => {
      reply.request.log.warn({ err: error }, 'upstream does not answer')
      // The library's own answer would name host and port.
      sendError(
        unavailable('service_unavailable', 'This part of the store is taking a break, please try again.'),
        reply.request,
        reply,
      )
    },
  },
})
