import { join } from 'node:path'
import { perService } from '@nifty/api/services'
import { createLog } from '@nifty/service-kit/base/logs'
import { createMetrics } from '@nifty/service-kit/base/metrics'
import { openTraces } from '@nifty/service-kit/base/open-traces'
import { stopOnSignal } from '@nifty/service-kit/service/service-process'
import { readConfig } from './config.ts'
import { buildGateway } from './gateway.ts'
import { buildInternalApp } from './internal.ts'

const config = readConfig()
const { host, port, internalPort } = config
const log = createLog({ name: 'gateway', level: config.logLevel })
const traces = await openTraces(process.env, log)
const metrics = createMetrics({ log })
const app = await buildGateway({
  ...config,
  log,
  metrics,
  upstreams: perService((name) => ({ url: config.urls[name] })),
  webRoot: join(import.meta.dirname, '../../web/dist'),
})
const internal = buildInternalApp({ log, metrics, tls: config.tls })
await internal.listen({ host, port: internalPort })
await app.listen({ host, port })
stopOnSignal(async () => {
  await app.close()
  await internal.close()
  await traces.stop()
}, config.drainSeconds)
