import type { App } from '@nifty/service-kit/http/app'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'

/** A handler that lets a service of this process handle the raw request, without a network hop. */
export function forwardInProcess(app: FastifyInstance, service: App): RouteHandlerMethod {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  return (request, reply) => {
    reply.hijack()
    service.routing(request.raw, reply.raw)
  }
}
