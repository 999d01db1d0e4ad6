import { randomUUID } from 'node:crypto'
import fastifySwagger from '@fastify/swagger'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { LogController } from 'fastify'
import { ExpectedError } from '../errors.ts'
import { type Log, withContext } from '../logs.ts'
import { KEEP_ALIVE_MS } from './drain.ts'
import { checkEncoding, checkInput, checkUrl } from './input.ts'
import { sendError } from './problems.ts'
import { requestTracer } from './request-tracer.ts'

const MAX_BODY_BYTES = 100 * 1024
const MAX_PARAM_LENGTH = 400
const isRequestId = (id: unknown): id is string => typeof id === 'string' && /^[\w-]{8,64}$/.test(id)

export type App = ReturnType<typeof createApp>

/**
 * A Fastify app with the manners that all services share: strict input, one shape of errors, ids in every log line.
 * `GET /openapi.json` describes it, `GET /healthz` says that the process lives.
 */
export function createApp({ log, name, service = name }: { log: Log; name: string; service?: string }) {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    // The gateway tells who is calling, and strips what callers claim about themselves.
    trustProxy: true,
    bodyLimit: MAX_BODY_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // What still arrives while it closes is answered like all else.
    return503OnClosing: false,
    genReqId: ({ headers }) => (isRequestId(headers['x-request-id']) ? headers['x-request-id'] : randomUUID()),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false } },
    frameworkErrors: sendError,
  }).withTypeProvider<TypeBoxTypeProvider>()

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

  // Documents the routes that are registered after it.
  app.register(fastifySwagger, { openapi: { info: { title: `Nifty ${name}`, version: '1' } } })
  app.after(() => {
    app.get('/openapi.json', { schema: { hide: true } }, async () => app.swagger())
    app.get('/healthz', { schema: { hide: true } }, async () => ({ ok: true }))
  })

  app.removeContentTypeParser(['text/plain', 'application/json'])
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) =>
    body === '' ? done(null, undefined) : parseJson(request, body as string, done),
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
  app.addHook('preValidation', async (request) => checkInput(request))
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const fields = { method, route: routeOptions.url, status: reply.statusCode, ms: Math.round(reply.elapsedTime) }
    request.log[reply.statusCode >= 500 ? 'warn' : 'debug'](fields, 'answered')
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
