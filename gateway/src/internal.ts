import { createApp } from '@nifty/service-kit/http/app'
import type { TlsFiles } from '@nifty/service-kit/http/tls'
import type { Log } from '@nifty/service-kit/logs'
import { type Metrics, serveMetrics } from '@nifty/service-kit/metrics/metrics'

/** Serves `/metrics` on the internal port, which is not public. */
export function buildInternalApp({ log, metrics, tls }: { log: Log; metrics: Metrics; tls?: TlsFiles }) {
  const app = createApp({ log, name: 'gateway internal', tls })
  serveMetrics(app, metrics)
  return app
}
