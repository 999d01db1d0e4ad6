import { randomUUID } from 'node:crypto'
import fastifySwagger from '@fastify/swagger'
import { healthz, openApi } from '@nifty/api/infrastructure'
import Fastify, { LogController } from 'fastify'
import { ExpectedError } from '../base/errors.ts'
import { type Log, withContext } from '../base/logs.ts'
import { limitAccounts } from './account-limits.ts'
import { waitForAdmission } from './admission.ts'
import { KEEP_ALIVE_MS } from './drain.ts'
import { sendError } from './error-handler.ts'
import { checkEncoding, checkInput, checkUrl, decodeUtf8 } from './input.ts'
import { lazyCompilers } from './lazy-compilers.ts'
import { openApiOptions } from './openapi.ts'
import { requestTracer } from './request-tracer.ts'
import { type Guards, guardRoutes, registerRoute } from './routes.ts'
import { errorCodeOf } from './security-event.ts'
import { serverFactory } from './server.ts'
import { httpsOption, renewCertificate, type TlsFiles } from './tls.ts'

/** Fastify's default of 10 s would end a process that starts on a busy machine, for instance after a crash. */
export const PLUGIN_TIMEOUT_MS = 60_000
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i
const MAX_BODY_BYTES = 100 * 1024
const MAX_PARAM_LENGTH = 400
/** In which a whole upload has to arrive, the longest request. The gateway gives all others less time. */
export const UPLOAD_TIMEOUT_MS = 120_000
const isRequestId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]{8,64}$/.test(id)

export type App = ReturnType<typeof createFastify>

/**
 * A Fastify app with the settings that all services share: strict input, one shape of errors, ids in every log line.
 * Only endpoints of packages/api can be registered (`registerRoute`). `GET /openapi.json` describes them, `GET
 * /healthz` is the liveness probe.
 */
export function createApp({
  log,
  name,
  service = name,
  guards = () => ({}),
  rateLimitFactor = 1,
  tls,
}: {
  log: Log
  name: string
  service?: string
  /** One guard for each access that the app's endpoints declare besides `public`. */
  guards?: (app: App) => Guards
  /** Multiplies the limits of requests by one account. */
  rateLimitFactor?: number
  /** Absent: HTTP. */
  tls?: TlsFiles
}): App {
  const app = createFastify(log, tls)
  renewCertificate(app, { files: tls, log })

  const methods = new Map<RegExp, string>()
  app.addHook('onRoute', ({ url, method }) => {
    const pattern = new RegExp(
      `^${url
        .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replace(/:\w+/g, '[^/]+')
        .replace('*', '.*')}$`,
    )
    methods.set(pattern, String(method))
  })

  guardRoutes(app, guards(app), limitAccounts(app, rateLimitFactor))

  // Documents the routes that are registered after it.
  let names: ReadonlyMap<object, string> = new Map()
  app.register(
    fastifySwagger,
    openApiOptions({ title: name, service }, () => names),
  )
  app.after(() => {
    registerRoute(app, openApi, async () => {
      // A service loads the endpoints of all services for its document only.
      names = (await import('@nifty/api/endpoints/all')).constantNames
      return app.swagger()
    })
    registerRoute(app, healthz, async () => ({ ok: true as const }))
  })

  app.removeContentTypeParser(['text/plain', 'application/json'])
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) =>
    body.length === 0 ? done(null, undefined) : parseJson(request, decodeUtf8(body as Buffer), done),
  )

  const trace = requestTracer(service)
  if (trace) app.addHook('onRequest', trace)
  app.addHook('onRequest', (request, reply, done) => {
    checkUrl(request.url)
    checkEncoding(request.url)
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    withContext({ correlationId: request.id }, done)
  })
  app.addHook('preValidation', waitForAdmission)
  app.addHook('preValidation', async (request) => checkInput(request))
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const { statusCode: status, elapsedTime } = reply
    const fields = { method, route: routeOptions.url, status, code: errorCodeOf(request), ms: Math.round(elapsedTime) }
    request.log[status >= 500 ? 'warn' : 'debug'](fields, 'request completed')
  })

  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0]!
    const allowed = [...methods].filter(([pattern]) => pattern.test(path)).map(([, method]) => method)
    if (allowed.length === 0) return sendError(new ExpectedError('not_found', 'not_found', 'Not found'), request, reply)
    reply.header('allow', allowed.join(', '))
    return sendError(new ExpectedError('not_allowed', 'method_not_allowed', 'Method not allowed'), request, reply)
  })

  return app
}

const createFastify = (log: Log, tls: TlsFiles | undefined) =>
  Fastify({
    ...httpsOption(tls),
    serverFactory: serverFactory(),
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // The gateway sets the caller's address and removes what clients claim about it.
    trustProxy: true,
    bodyLimit: MAX_BODY_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    pluginTimeout: PLUGIN_TIMEOUT_MS,
    // Requests that arrive during the drain period are served as usual.
    return503OnClosing: false,
    genReqId: ({ headers }) => (isRequestId(headers['x-request-id']) ? headers['x-request-id'] : randomUUID()),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    schemaController: { compilersFactory: lazyCompilers },
    ajv: {
      customOptions: { coerceTypes: false, removeAdditional: false },
      // Without the form `urn:uuid:…`, which PostgreSQL does not read.
      onCreate: (ajv) => void ajv.addFormat('uuid', UUID),
    },
    frameworkErrors: sendError,
  })
