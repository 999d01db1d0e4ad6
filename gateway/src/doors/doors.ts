import httpProxy from '@fastify/http-proxy'
import { unavailable } from '@nifty/service-kit/errors'
import type { App } from '@nifty/service-kit/http/app'
import { answerProblem } from '@nifty/service-kit/http/problems'
import type { FastifyInstance } from 'fastify'
import { routes, type ServiceName } from '../routes.ts'
import type { Upstream } from './upstream.ts'

const ANSWER_WITHIN_MS = 30_000

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

const proxyTo = (upstream: string, prefix: string) => ({
  upstream,
  prefix,
  rewritePrefix: prefix,
  // Undici's defaults would open a connection per request under load.
  undici: {
    connections: 64,
    pipelining: 1,
    keepAliveTimeout: 60_000,
    headersTimeout: ANSWER_WITHIN_MS,
    bodyTimeout: ANSWER_WITHIN_MS,
  },
  replyOptions: {
    onError: (reply: any, { error }: { error: Error }) => {
      reply.request.log.warn({ err: error }, 'upstream does not answer')
      // The library's own answer would name host and port.
      answerProblem(
        unavailable('service_unavailable', 'This part of the store is taking a break, please try again.'),
        reply.request,
        reply,
      )
    },
  },
})
