import type { Endpoint } from '@nifty/api/endpoint'
import { endpoints } from '@nifty/api/endpoints/all'
import { limits } from '@nifty/api/limits'
import { type ServiceName, services } from '@nifty/api/services'
import type { FastifyInstance, HTTPMethods, RouteHandlerMethod } from 'fastify'
import { forwardInProcess } from './in-process.ts'
import type { NetworkOptions } from './over-network.ts'
import type { Upstream } from './upstream.ts'

/**
 * Registers every public endpoint of every service, so that limits follow from the matched route, and below them the
 * service's path prefixes, for its own 404 and 405; the longest prefix wins. Bodies are passed on unparsed. Responses of
 * cached endpoints are put into `options.cache`.
 */
export async function registerProxies(
  app: FastifyInstance,
  upstreams: Record<ServiceName, Upstream>,
  options: ForwardingOptions,
) {
  for (const { name, prefixes } of services) {
    const upstream = upstreams[name]
    const isUpload = ({ consumes }: Endpoint) => consumes === 'multipart/form-data'
    const own = endpoints[name].public
    await app.register(async (scope) => {
      const handler = await forwardTo(scope, upstream, { bodies: 'streamed', ...options })
      for (const endpoint of own.filter(isUpload)) addRoutes(scope, endpoint, handler)
    })
    await app.register(async (scope) => {
      const handler = await forwardTo(scope, upstream, { bodies: 'buffered', ...options })
      for (const endpoint of own.filter((each) => !isUpload(each))) addRoutes(scope, endpoint, handler)
      for (const prefix of prefixes) addFallback(scope, prefix, handler)
    })
  }
}

type ForwardingOptions = Pick<NetworkOptions, 'cache' | 'timeoutMs'>

async function forwardTo(app: FastifyInstance, upstream: Upstream, options: Omit<NetworkOptions, 'url'>) {
  if ('app' in upstream) return forwardInProcess(upstream.app, options.cache)
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
