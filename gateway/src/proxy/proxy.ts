import type { Endpoint } from '@nifty/api/endpoint'
import { endpoints } from '@nifty/api/endpoints/all'
import { UPLOADS_PREFIX } from '@nifty/api/gateway'
import { limits } from '@nifty/api/limits'
import { type ServiceName, services } from '@nifty/api/services'
import type { FastifyInstance, HTTPMethods, RouteHandlerMethod } from 'fastify'
import type { Pool } from '../pools/pool.ts'
import type { PoolName } from '../pools/pools.ts'
import { forwardInProcess } from './in-process.ts'
import type { NetworkOptions } from './over-network.ts'
import type { Upstream } from './upstream.ts'

/**
 * Registers every public endpoint of every service, so that limits follow from the matched route, and below them the
 * service's path prefixes, for its own 404 and 405; the longest prefix wins. Bodies are passed on unparsed. Uploads, files
 * and the rest have a pool each. Responses of cached endpoints are put into `options.cache`.
 */
export async function registerProxies(
  app: FastifyInstance,
  upstreams: Record<ServiceName, Upstream>,
  { createPool, ...options }: ForwardingOptions & { createPool: (name: PoolName) => Pool },
) {
  for (const { name, prefixes } of services)
    for (const kind of ['uploads', 'files', 'api'] as const)
      await app.register(async (scope) => {
        const handler = await forwardTo(scope, upstreams[name], {
          bodies: kind === 'uploads' ? 'streamed' : 'buffered',
          pool: createPool(kind),
          ...options,
        })
        for (const endpoint of endpoints[name].public.filter((each) => poolOf(each) === kind))
          addRoutes(scope, endpoint, handler)
        for (const prefix of prefixes.filter((each) => poolOfPath(each) === kind)) addFallback(scope, prefix, handler)
      })
}

type ForwardingOptions = Pick<NetworkOptions, 'cache' | 'timeoutMs'>

const poolOf = ({ consumes, path }: Endpoint) => (consumes === 'multipart/form-data' ? 'uploads' : poolOfPath(path))
const poolOfPath = (path: string) => (path.startsWith(UPLOADS_PREFIX) ? 'files' : 'api')

async function forwardTo(app: FastifyInstance, upstream: Upstream, options: Omit<NetworkOptions, 'url'>) {
  if ('app' in upstream) return forwardInProcess(upstream.app, options.pool, options.cache)
  // A store in one process does not load the HTTP client.
  const { forwardOverNetwork } = await import('./over-network.ts')
  return forwardOverNetwork(app, { url: upstream.url, ...options })
}

function addRoutes(app: FastifyInstance, endpoint: Endpoint, handler: RouteHandlerMethod) {
  const method: HTTPMethods[] = endpoint.method === 'GET' ? ['GET', 'HEAD'] : [endpoint.method]
  app.route({ method, url: endpoint.path, exposeHeadRoute: false, config: { endpoint }, handler })
}

/** Everything below a prefix that is no endpoint. */
function addFallback(app: FastifyInstance, prefix: string, handler: RouteHandlerMethod) {
  for (const url of [prefix, `${prefix}/*`]) {
    const method = app.supportedMethods.filter((method) => !app.hasRoute({ method: method as HTTPMethods, url }))
    app.route({ method: method as HTTPMethods[], url, exposeHeadRoute: false, config: { limit: limits.api }, handler })
  }
}
