import { createApp } from '@nifty/service-kit/http/app'
import type { Log } from '@nifty/service-kit/logs'
import { type Metrics, serveMetrics } from '@nifty/service-kit/metrics/metrics'

/** Serves `/metrics` on the internal port, which is not public. */
export function buildInternalApp({ log, metrics }: { log: Log; metrics: Metrics }) {
  const app = createApp({ log, name: 'gateway internal' })
  serveMetrics(app, metrics)
  return app
}
