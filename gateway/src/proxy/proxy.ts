import type { Endpoint } from '@nifty/api/endpoint'
import { endpoints } from '@nifty/api/endpoints/all'
import { UPLOADS_PREFIX } from '@nifty/api/gateway'
import { limits } from '@nifty/api/limits'
import { type ServiceName, services } from '@nifty/api/services'
import type { Upstream } from '@nifty/service-kit/http/upstream'
import type { FastifyInstance, HTTPMethods } from 'fastify'
import type { Pool } from '../pools/pool.ts'
import type { PoolName } from '../pools/pools.ts'
import { proxyInProcess } from './in-process.ts'
import type { NetworkOptions } from './over-network.ts'

/**
 * Registers every public endpoint of every service, so that limits follow from the matched route, and below them the
 * service's path prefixes, for its own 404 and 405; the longest prefix wins. Bodies are passed on unparsed. Uploads,
 * files and the rest have a pool each. Responses of cached endpoints are put into `options.cache`.
 */
export async function registerProxies(
  app: FastifyInstance,
  upstreams: Record<ServiceName, Upstream>,
  { createPool, ...options }: ForwardingOptions & { createPool: (name: PoolName) => Pool },
) {
  for (const { name, prefixes } of services)
    for (const kind of ['uploads', 'files', 'api'] as const)
      await app.register(async (scope) => {
        const addRoute = await proxyTo(scope, upstreams[name], {
          bodies: kind === 'uploads' ? 'streamed' : 'buffered',
          pool: createPool(kind),
          ...options,
        })
        for (const endpoint of endpoints[name].public.filter((each) => poolOf(each) === kind))
          await addRoute({ url: endpoint.path, methods: methodsOf(endpoint), config: { endpoint } })
        for (const prefix of prefixes.filter((each) => poolOfPath(each) === kind))
          for (const url of [prefix, `${prefix}/*`])
            await addRoute({ url, methods: freeMethods(scope, url), config: { limit: limits.api } })
      })
}

type ForwardingOptions = Pick<NetworkOptions, 'cache' | 'timeoutMs'>

const poolOf = ({ consumes, path }: Endpoint) => (consumes === 'multipart/form-data' ? 'uploads' : poolOfPath(path))
const poolOfPath = (path: string) => (path.startsWith(UPLOADS_PREFIX) ? 'files' : 'api')

async function proxyTo(app: FastifyInstance, upstream: Upstream, options: Omit<NetworkOptions, 'url'>) {
  if ('app' in upstream) return proxyInProcess(app, { service: upstream.app, ...options })
  // A store in one process does not load the HTTP client.
  const { proxyOverNetwork } = await import('./over-network.ts')
  return proxyOverNetwork(app, { url: upstream.url, ...options })
}

const methodsOf = ({ method }: Endpoint): HTTPMethods[] => (method === 'GET' ? ['GET', 'HEAD'] : [method])

/** For everything below a prefix that is no endpoint. */
const freeMethods = (app: FastifyInstance, url: string) =>
  (app.supportedMethods as HTTPMethods[]).filter((method) => !app.hasRoute({ method, url }))
