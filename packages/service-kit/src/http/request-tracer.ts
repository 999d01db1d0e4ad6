import type { ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { isTracing, startSpan, withSpan } from '../traces/trace.ts'

const probes = new Set(['/healthz', '/readyz', '/metrics'])

type Seen = Pick<FastifyRequest, 'id' | 'method' | 'raw' | 'url' | 'routeOptions'>

/**
 * A hook `onRequest` that opens a span for each request, in the trace that its `traceparent` names, and writes the span
 * there: whoever is handed the request goes on below it. Undefined in a process that is not traced.
 */
export function requestTracer(service: string) {
  if (!isTracing()) return undefined
  return ({ id, method, raw, url, routeOptions }: Seen, reply: { raw: ServerResponse }, done: () => void) => {
    const route = routeOptions.url ?? 'unknown'
    const parent = typeof raw.headers.traceparent === 'string' ? raw.headers.traceparent : undefined
    const facts = { 'http.request.method': method, 'http.route': route, 'request.id': id }
    const work = { service, name: `${method} ${route}`, kind: 'server', parent, facts } as const
    const span = probes.has(url) ? undefined : startSpan(work)
    if (!span) return done()
    raw.headers.traceparent = span.traceparent
    finished(reply.raw, () => {
      const { statusCode } = reply.raw
      span.describe({ 'http.response.status_code': statusCode })
      span.end(statusCode >= 500 ? statusCode : undefined)
    })
    return withSpan(service, span, done)
  }
}
