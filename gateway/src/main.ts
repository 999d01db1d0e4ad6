import { join } from 'node:path'
import { createLog } from '@nifty/service-kit/logs'
import { stopOnSignal } from '@nifty/service-kit/run-alone'
import { openTraces } from '@nifty/service-kit/traces/open-traces'
import { readConfig } from './config.ts'
import { buildGateway } from './gateway.ts'
import { type ServiceName, services } from './routes.ts'

const config = readConfig()
const log = createLog({ name: 'gateway', level: config.logLevel })
const traces = await openTraces(process.env, log)
const upstreams = Object.fromEntries(services.map((name) => [name, { url: config.urls[name] }]))
const app = await buildGateway({
  ...config,
  log,
  upstreams: upstreams as Record<ServiceName, { url: string }>,
  webRoot: join(import.meta.dirname, '../../web/dist'),
})
await app.listen({ host: config.host, port: config.port })
stopOnSignal(async () => {
  await app.close()
  await traces.stop()
}, config.drainSeconds)
