import { healthz, metrics, readyz } from '@nifty/api/infrastructure'
import { intendedRefusals } from '@nifty/api/intended-refusals'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Counter, Histogram } from 'prom-client'
import type { Metrics } from '../base/metrics.ts'
import type { App } from './app.ts'
import { registerRoute } from './routes.ts'
import { errorCodeOf } from './security-event.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
/** Probes and scrapes would dominate the histogram. */
const excluded = new Set<string>([healthz.path, readyz.path, metrics.path])

type Labels = { method: string; route: string; status: number }
/** Records the duration of a request in seconds. `route` is a pattern, so that client input never becomes a label. */
export type ObserveRequest = (labels: Labels, seconds: number) => void

/** Records the durations of requests; `onResponse` is a hook. */
export function timeRequests({ registry }: Metrics) {
  const duration = new Histogram({
    name: 'nifty_http_request_duration_seconds',
    help: 'Duration of requests by method, route pattern and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers: [registry],
  })
  const observe: ObserveRequest = (labels, seconds) => {
    if (!excluded.has(labels.route)) duration.observe(labels, seconds)
  }
  return {
    observe,
    onResponse: async ({ method, routeOptions }: FastifyRequest, reply: FastifyReply) =>
      observe({ method, route: routeOptions.url ?? 'none', status: reply.statusCode }, reply.elapsedTime / 1_000),
  }
}

/** Counts what the store refuses on purpose, apart from errors; a hook `onResponse`. */
export function countRefusals({ registry }: Metrics) {
  const refusals = new Counter({
    name: 'nifty_http_refusals_total',
    help: 'Responses with status 503 by which the store refuses on purpose',
    labelNames: ['code'],
    registers: [registry],
  })
  return async (request: FastifyRequest, { statusCode }: FastifyReply) => {
    const code = statusCode === 503 ? intendedRefusals.find((each) => each === errorCodeOf(request)) : undefined
    if (code) refusals.inc({ code })
  }
}

/** Registers the scrape endpoint. */
export function serveMetrics(app: App, { registry, text }: Metrics) {
  registerRoute(app, metrics, async (_request, reply) => reply.type(registry.contentType).send(await text()))
}
