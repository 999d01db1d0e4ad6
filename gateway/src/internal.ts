import type { Log } from '@nifty/service-kit/base/logs'
import type { Metrics } from '@nifty/service-kit/base/metrics'
import { createApp } from '@nifty/service-kit/http/app'
import { serveMetrics } from '@nifty/service-kit/http/request-metrics'
import { certificateCollector, type TlsFiles } from '@nifty/service-kit/http/tls'

/** Serves `/metrics` on the internal port, which is not public. */
export function buildInternalApp({ log, metrics, tls }: { log: Log; metrics: Metrics; tls?: TlsFiles }) {
  const app = createApp({ log, name: 'gateway internal', tls })
  metrics.add(certificateCollector(tls))
  serveMetrics(app, metrics)
  return app
}
