import { readConfig as readAuthConfig } from '@nifty/auth/config'
import { startAuth } from '@nifty/auth/service'
import { readConfig as readCatalogConfig } from '@nifty/catalog/config'
import { startCatalog } from '@nifty/catalog/service'
import type { HttpClients } from '@nifty/demo-data/api-client'
import { readConfig as readGatewayConfig } from '@nifty/gateway/config'
import { buildGateway } from '@nifty/gateway/gateway'
import { buildInternalApp } from '@nifty/gateway/internal'
import { readConfig as readMintingConfig } from '@nifty/minting/config'
import { startMinting } from '@nifty/minting/service'
import { readConfig as readNotificationConfig } from '@nifty/notification/config'
import { startNotification } from '@nifty/notification/service'
import { readConfig as readPaymentsConfig } from '@nifty/payments/config'
import { startPayments } from '@nifty/payments/service'
import type { Log } from '@nifty/service-kit/logs'
import { openTransport } from '@nifty/service-kit/messaging/open-transport'
import { createMetrics } from '@nifty/service-kit/metrics/metrics'
import { databaseUrl } from '@nifty/service-kit/run-alone'
import type { RunningService, ServiceContext } from '@nifty/service-kit/service'
import { openTraces } from '@nifty/service-kit/traces/open-traces'
import sharp from 'sharp'

export type StoreOptions = {
  /** Variables of all services; the services' internal addresses are added here. */
  env: NodeJS.ProcessEnv
  postgresUrl: string
  internalSecret: string
  host: string
  port: number
  log: Log
  webRoot: string
}

/** A running store, with clients for seeding and the internal addresses for operators. */
export type RunningStore = { clients: HttpClients; internalUrls: Record<string, string>; stop: () => Promise<void> }

/** Starts the whole store in this process: five services, and the gateway, which calls them without a network hop. */
export async function startStore({
  env,
  postgresUrl,
  internalSecret,
  host,
  port,
  log,
  webRoot,
}: StoreOptions): Promise<RunningStore> {
  // One image at a time and no image cache: all services share the memory of this process.
  sharp.cache(false)
  sharp.concurrency(1)
  const traces = await openTraces(env, log)
  const transport = await openTransport(env, { name: 'store', localUrl: databaseUrl(postgresUrl, 'transport'), log })
  const running: RunningService[] = []
  const serviceEnv: NodeJS.ProcessEnv = { ...env }
  const internalListen = { host: '127.0.0.1', port: 0 }

  async function start(
    name: string,
    starter: (context: ServiceContext, env: NodeJS.ProcessEnv) => Promise<RunningService>,
  ) {
    const context: ServiceContext = {
      databaseUrl: databaseUrl(postgresUrl, name),
      transport,
      log: log.child({ service: name }),
      internalSecret,
      internalListen,
    }
    const service = await starter(context, serviceEnv)
    serviceEnv[`${name.toUpperCase()}_INTERNAL_URL`] = service.internalUrl
    running.push(service)
    return { app: service.app }
  }

  async function stop() {
    for (const service of running.splice(0).reverse()) await service.stop()
    await transport.stop()
    await traces.stop()
  }

  try {
    const gateway = await startAll()
    return {
      clients: gateway.clients,
      internalUrls: {
        ...Object.fromEntries(running.map(({ name, internalUrl }) => [name, internalUrl])),
        gateway: gateway.internalUrl,
      },
      stop: async () => {
        await gateway.stop()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }

  async function startAll() {
    // In the order of their dependencies: each one needs the addresses of those before it.
    const auth = await start('auth', (context, env) => startAuth(context, readAuthConfig(env)))
    const minting = await start('minting', (context, env) => startMinting(context, readMintingConfig(env)))
    const catalog = await start('catalog', (context, env) => startCatalog(context, readCatalogConfig(env)))
    const payments = await start('payments', (context, env) => startPayments(context, readPaymentsConfig(env)))
    const notification = await start('notification', (context, env) =>
      startNotification(context, readNotificationConfig(env)),
    )

    const inProcess = 'in-process:'
    const gatewayLog = log.child({ service: 'gateway' })
    const metrics = createMetrics({ log: gatewayLog })
    const gateway = await buildGateway({
      ...readGatewayConfig({
        ...env,
        ...Object.fromEntries(
          ['AUTH', 'CATALOG', 'PAYMENTS', 'MINTING', 'NOTIFICATION'].map((name) => [`${name}_URL`, inProcess]),
        ),
      }),
      log: gatewayLog,
      metrics,
      upstreams: { auth, catalog, payments, minting, notification },
      webRoot,
    })
    const internal = buildInternalApp({ log: gatewayLog, metrics })
    const internalUrl = await internal.listen(internalListen)
    await gateway.listen({ host, port })
    return {
      internalUrl,
      clients: {
        auth: auth.app,
        minting: minting.app,
        catalog: catalog.app,
        payments: payments.app,
        notification: notification.app,
      },
      stop: async () => {
        await gateway.close()
        await internal.close()
      },
    }
  }
}
