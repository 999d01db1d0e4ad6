import type { Endpoint } from '@nifty/api/endpoint'
import { perService, type ServiceName, serviceNames, urlVariable } from '@nifty/api/services'
import { auth } from '@nifty/auth/service'
import { catalog } from '@nifty/catalog/service'
import { readConfig as readGatewayConfig } from '@nifty/gateway/config'
import { buildGateway } from '@nifty/gateway/gateway'
import { buildInternalApp } from '@nifty/gateway/internal'
import { minting } from '@nifty/minting/service'
import { notification } from '@nifty/notification/service'
import { payments } from '@nifty/payments/service'
import type { Log } from '@nifty/service-kit/base/logs'
import { createMetrics } from '@nifty/service-kit/base/metrics'
import { openTraces } from '@nifty/service-kit/base/open-traces'
import { resourceName, type StoreResources } from '@nifty/service-kit/base/resources'
import { databaseUrl } from '@nifty/service-kit/database/database'
import { parseOperators } from '@nifty/service-kit/http/operator-token'
import { readServiceKeys, serviceKeys } from '@nifty/service-kit/http/service-keys'
import type { Service } from '@nifty/service-kit/service/define-service'
import { openTransport } from '@nifty/service-kit/service/open-transport'
import type { RunningService, ServiceContext } from '@nifty/service-kit/service/service'

/** The code of each service: this launcher alone imports it. */
export const implementations: Record<ServiceName, Service> = { auth, minting, catalog, payments, notification }

export type StoreOptions = {
  /** Variables of all services. */
  env: NodeJS.ProcessEnv
  postgresUrl: string
  resources: StoreResources
  /** The keys between services are derived from it. */
  internalSecret: string
  host: string
  port: number
  /**
   * The first internal port, on this machine only: a port for each service, then the gateway's. Default: any free ones.
   */
  internalPort?: number
  log: Log
  webRoot: string
}

/** Sends requests to one service: `inject` of its Fastify app in this process, or the same over HTTP. */
export type HttpClient = {
  inject: (request: {
    method: Endpoint['method']
    url: string
    headers: Record<string, string>
    payload?: object
  }) => PromiseLike<{ statusCode: number; body: string; json: () => any }>
}

/** A running store, with clients for seeding and the internal addresses for operators. */
export type RunningStore = {
  clients: Record<ServiceName, HttpClient>
  internalUrls: Record<string, string>
  /** Starts consumers and workers. Before that only requests are served, and what they publish waits. */
  startBackground: () => void
  stop: () => Promise<void>
}

/** Starts the whole store in this process: five services, and the gateway, which calls them without a network hop. */
export async function startStore({
  env,
  postgresUrl,
  resources,
  internalSecret,
  host,
  port,
  internalPort,
  log,
  webRoot,
}: StoreOptions): Promise<RunningStore> {
  const traces = await openTraces(env, log)
  const urlOf = (database: string) => databaseUrl(postgresUrl, resourceName(resources.prefix, database))
  const databaseOf = (name: ServiceName) => ({
    databaseUrl: urlOf(name),
    storeId: resources.storeId,
    log: log.child({ service: name }),
  })
  // All at the same time: each waits for several replies of PostgreSQL.
  const openingTransport = openTransport(env, { name: 'store', localUrl: urlOf('transport'), resources, log })
  const openingDatabases = serviceNames.map((name) => implementations[name].prepare(databaseOf(name)))
  // Of several that are refused the first one is reported, once none is left open.
  const outcomes = await Promise.allSettled([openingTransport, ...openingDatabases])
  const refused = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined
  if (refused) {
    const closing = [
      openingTransport.then(({ stop }) => stop()),
      ...openingDatabases.map((opening) => opening.then((db) => db.destroy())),
    ]
    await Promise.allSettled([...closing, traces.stop()])
    throw refused.reason
  }
  const [transport, databases] = await Promise.all([openingTransport, Promise.all(openingDatabases)])
  const operators = parseOperators(env.OPERATORS ?? '')
  const running: RunningService[] = []
  const peerUrls: ServiceContext['peerUrls'] = {}
  const inProcess = Object.fromEntries(serviceNames.map((name) => [urlVariable(name), 'in-process:']))
  const gatewayConfig = readGatewayConfig({ ...env, ...inProcess })
  const internalListen = (index: number) => ({
    host: '127.0.0.1',
    port: internalPort === undefined ? 0 : internalPort + index,
  })

  const background = Promise.withResolvers<void>()
  const onFailed = (error: unknown) => {
    log.fatal({ err: error }, 'store: consumers and workers did not start, exiting')
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`Consumers and workers of the store did not start: ${reason}\n`)
    process.exit(1)
  }

  async function start({ name, readConfig, start }: Service) {
    const context: ServiceContext = {
      ...databaseOf(name),
      db: databases[serviceNames.indexOf(name)],
      background: { after: background.promise, onFailed },
      transport,
      keys: readServiceKeys(name, serviceKeys(name, internalSecret)),
      operators,
      internalListen: internalListen(serviceNames.indexOf(name)),
      peerUrls,
      rateLimitFactor: gatewayConfig.rateLimitFactor,
    }
    const service = await start(context, readConfig(env))
    peerUrls[name] = service.internalUrl
    running.push(service)
    return service
  }

  async function stop() {
    for (const service of running.splice(0).reverse()) await service.stop()
    // Those of services that did not start.
    await Promise.all(databases.map((db) => db.destroy()))
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
      startBackground: background.resolve,
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
    const upstreams = {} as Record<ServiceName, { app: RunningService['app'] }>
    // In the order of the list: each service needs the addresses of those before it.
    for (const name of serviceNames) upstreams[name] = { app: (await start(implementations[name])).app }

    const gatewayLog = log.child({ service: 'gateway' })
    const metrics = createMetrics({ log: gatewayLog })
    const gateway = await buildGateway({
      ...gatewayConfig,
      log: gatewayLog,
      metrics,
      upstreams,
      webRoot,
    })
    const internal = buildInternalApp({ log: gatewayLog, metrics })
    const stop = async () => {
      await gateway.close()
      await internal.close()
    }
    try {
      const internalUrl = await internal.listen(internalListen(serviceNames.length))
      await gateway.listen({ host, port })
      return { internalUrl, clients: perService((name) => upstreams[name].app), stop }
    } catch (error) {
      await stop()
      throw error
    }
  }
}
