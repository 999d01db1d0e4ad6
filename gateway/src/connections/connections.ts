import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { rateLimit as scaled } from '@nifty/service-kit/base/env'
import { invalid } from '@nifty/service-kit/base/errors'
import type { Metrics } from '@nifty/service-kit/base/metrics'
import { UPLOAD_TIMEOUT_MS } from '@nifty/service-kit/http/app'
import { type ResponseLimits, serverFactory } from '@nifty/service-kit/http/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Counter } from 'prom-client'
import { NETWORKS_PER_SITE, networkKey, siteKey } from '../limits/limits.ts'
import type { HeaderSettings } from '../security/security.ts'
import { errorOfParser, refuse, requestTimeout } from './refuse.ts'

/** Time in which a request has to arrive, in milliseconds: its headers, the whole of it, and the whole of an upload. */
export type RequestTimeouts = { headersMs: number; requestMs: number; uploadMs: number }

export const requestTimeouts: RequestTimeouts = { headersMs: 10_000, requestMs: 30_000, uploadMs: UPLOAD_TIMEOUT_MS }

/**
 * Connections that one network may have open, where clients connect to the gateway itself; all networks of an IPv6 /48
 * together ten times as many. A factor above 1 raises it.
 */
const CONNECTIONS_PER_NETWORK = 64

/**
 * Options of the HTTP server. Node checks the time of headers, and this long after it a request is over at the latest.
 */
export const serverOptions = ({ headersMs, uploadMs }: RequestTimeouts) => ({
  requestTimeout: uploadMs,
  http: {
    headersTimeout: headersMs,
    connectionsCheckingInterval: Math.min(1_000, headersMs),
    // The gateway checks it itself: Node's own response has another shape.
    requireHostHeader: false,
  },
})

type ServerOptions = {
  metrics: Metrics
  limits: ResponseLimits
  rateLimitFactor: number
  /** Behind a proxy all connections are the proxy's. */
  trustedProxies: string[]
  headerSettings: HeaderSettings
}

/**
 * Protects the server from slow and invalid connections: a client has a limited number of them, requests and bodies
 * have to arrive in time, responses have to be read, and what is not HTTP gets an error of the usual shape.
 * `serverFactory` and `limitBodies` are for Fastify.
 */
export function protectConnections({ metrics, limits, ...options }: ServerOptions) {
  const refused = new Counter({
    name: 'nifty_gateway_connections_refused_total',
    help: 'Connections closed by the gateway: too many of one client, too slow, responses not read, or not HTTP',
    labelNames: ['reason'],
    registers: [metrics.registry],
  })
  const perNetwork = scaled(CONNECTIONS_PER_NETWORK, Math.max(1, options.rateLimitFactor))
  const open = new Map<string, number>()

  function prepare(server: Server) {
    if (options.trustedProxies.length === 0)
      limitConnections(server, { open, perNetwork, onRefused: () => refused.inc({ reason: 'too_many' }) })
    // Expectations are optional to meet; Node's own response to an unknown one has another shape.
    server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) =>
      server.emit('request', request, response),
    )
    server.on('connect', (_request: IncomingMessage, socket: Socket) =>
      refuse(socket, invalid('invalid_target', 'The address is invalid'), options.headerSettings),
    )
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      if (error.code === 'ECONNRESET') return socket.destroy()
      refused.inc({ reason: error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'slow' : 'invalid' })
      refuse(socket, errorOfParser(error), options.headerSettings)
    })
  }

  return {
    serverFactory: serverFactory({ limits, prepare, onClosed: (reason) => refused.inc({ reason }) }),
    limitBodies: (app: FastifyInstance, timeouts: RequestTimeouts) =>
      app.addHook('onRequest', (request, reply, done) => {
        if (hasBody(request))
          afterBodyTimeout(request, bodyTimeout(request, timeouts), () => {
            refused.inc({ reason: 'slow' })
            if (reply.raw.headersSent) request.raw.socket.destroy()
            else refuse(request.raw.socket, requestTimeout(), options.headerSettings)
          })
        done()
      }),
  }
}

/** `open`: connections by network and by site of IPv6, of all servers. */
function limitConnections(
  server: Server,
  { open, perNetwork, onRefused }: { open: Map<string, number>; perNetwork: number; onRefused: () => void },
) {
  const add = (key: string, change: 1 | -1) => {
    const count = (open.get(key) ?? 0) + change
    if (count > 0) open.set(key, count)
    else open.delete(key)
  }
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress ?? ''
    const [network, site] = [networkKey(address), siteKey(address)]
    const limits = new Map([
      [site, NETWORKS_PER_SITE * perNetwork],
      // The site of an IPv4 address is the address itself.
      [network, perNetwork],
    ])
    if ([...limits].some(([key, most]) => (open.get(key) ?? 0) >= most)) {
      onRefused()
      socket.destroy()
      return
    }
    for (const key of limits.keys()) add(key, 1)
    socket.once('close', () => {
      for (const key of limits.keys()) add(key, -1)
    })
  })
}

export const hasBody = ({ headers }: Pick<IncomingMessage, 'headers'>) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

/** Headers may already have taken their time. */
const bodyTimeout = ({ routeOptions }: FastifyRequest, { headersMs, requestMs, uploadMs }: RequestTimeouts) =>
  (routeOptions.config.endpoint?.consumes === 'multipart/form-data' ? uploadMs : requestMs) - headersMs

function afterBodyTimeout({ raw }: FastifyRequest, ms: number, onLate: () => void) {
  const timer = setTimeout(() => {
    if (!raw.complete && !raw.socket.destroyed) onLate()
  }, ms)
  const { socket } = raw
  const clear = () => {
    clearTimeout(timer)
    socket.off('close', clear)
  }
  raw.once('end', clear)
  socket.once('close', clear)
}
