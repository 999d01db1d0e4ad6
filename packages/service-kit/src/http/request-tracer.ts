import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import { listSessions } from '@nifty/api/auth/internal'
import { healthz, metrics, readyz } from '@nifty/api/infrastructure'
import type { FastifyRequest } from 'fastify'
import { isTracing, startSpan, withSpan } from '../base/trace.ts'

const probes = new Set<string>([healthz.path, readyz.path, metrics.path])
/** What services poll: traced only as a part of another trace. */
const polls = new Set<string>([listSessions.path])

type TracedRequest = Pick<FastifyRequest, 'id' | 'method' | 'raw' | 'url' | 'routeOptions'>

/**
 * A hook `onRequest` that starts a server span per request, as a child of its `traceparent`, and puts the span's own
 * `traceparent` into the request's headers, for the handler in process. Undefined without tracing.
 */
export function requestTracer(service: string) {
  if (!isTracing()) return undefined
  return ({ id, method, raw, url, routeOptions }: TracedRequest, reply: { raw: ServerResponse }, done: () => void) => {
    const route = routeOptions.url ?? 'unknown'
    const parent = typeof raw.headers.traceparent === 'string' ? raw.headers.traceparent : undefined
    const attributes = { 'http.request.method': method, 'http.route': route, 'request.id': id }
    const options = { service, name: `${method} ${route}`, kind: 'server', parent, attributes } as const
    const isUntraced = probes.has(url) || (!parent && polls.has(route))
    const span = isUntraced ? undefined : startSpan(options)
    if (!span) return done()
    raw.headers.traceparent = span.traceparent
    finished(reply.raw, () => {
      const { statusCode } = reply.raw
      span.setAttributes({ 'http.response.status_code': statusCode })
      span.end(statusCode >= 500 ? statusCode : undefined)
    })
    return withSpan(service, span, done)
  }
}
