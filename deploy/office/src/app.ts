import type { Endpoint } from '@nifty/api/endpoint'
import { type ForwardedRequest, type OfficeSession, type OpenSession, officePaths } from '@nifty/api/office'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import { ExpectedError, forbidden, invalid, notFound } from '@nifty/service-kit/base/errors'
import type { ServiceClient } from '@nifty/service-kit/http/client'
import fastify, { type FastifyError } from 'fastify'
import { DOCUMENT, type File } from './files.ts'
import type { Guard } from './guard.ts'
import { operatorEndpoints } from './operator-endpoints.ts'
import { readPicture } from './pictures.ts'

export type OfficeStore = {
  /** Signs the requests of `clients`. */
  operator: string
  /** Where visitors see the store: the office reads pictures of works there. Undefined: it shows none. */
  publicUrl?: string | undefined
  clients: Record<ServiceName, ServiceClient>
}

const headers = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; " +
    "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
}

const texts = { type: 'object', additionalProperties: { type: 'string', maxLength: 2_000 } }

const forwarded = {
  type: 'object',
  required: ['service', 'endpoint'],
  additionalProperties: false,
  properties: {
    service: { enum: serviceNames },
    endpoint: { type: 'string', maxLength: 200 },
    params: texts,
    query: texts,
    body: { type: 'object' },
  },
}

const pictureFile = { type: 'object', properties: { file: { type: 'string', pattern: '^[\\w-]+(\\.[\\w-]+)*$' } } }

const withCode = { type: 'object', required: ['code'], properties: { code: { type: 'string', maxLength: 200 } } }

/** The office's own server: its pages, which contain nothing, for everyone, and requests to services for a session. */
export function buildOffice({
  store,
  files,
  guard,
}: {
  store: OfficeStore
  files: ReadonlyMap<string, File>
  guard: Guard
}) {
  const app = fastify({ logger: false, ajv: { customOptions: { removeAdditional: false, coerceTypes: false } } })

  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    guard.checkOrigin(request)
  })

  app.setErrorHandler((error: Error | FastifyError | ExpectedError, _request, reply) => {
    const { status, ...response } = errorResponse(error)
    return reply.code(status).send({ success: false, ...response })
  })

  app.post<{ Body: OpenSession }>(officePaths.session, { schema: { body: withCode } }, async (request, reply) =>
    reply.header('set-cookie', guard.openSession(request.body.code)).send({ success: true }),
  )

  app.get(officePaths.session, async (request): Promise<OfficeSession> => {
    guard.checkSession(request)
    return { operator: store.operator, publicUrl: store.publicUrl ?? null }
  })

  app.post<{ Body: ForwardedRequest }>(
    officePaths.requests,
    { onRequest: async (request) => guard.checkSession(request), schema: { body: forwarded } },
    async ({ body: { service, endpoint: key, params, query, body } }) => {
      const endpoint = operatorEndpoints[service].get(key)
      if (!endpoint) throw forbidden('not_an_operators_endpoint', 'This is no endpoint for operators.')
      checkParams(endpoint, params)
      return store.clients[service](endpoint, { params, query, body } as never)
    },
  )

  app.get<{ Params: { file: string } }>(
    `${officePaths.pictures}/:file`,
    { onRequest: async (request) => guard.checkSession(request), schema: { params: pictureFile } },
    async ({ params }, reply) => {
      const picture = store.publicUrl && (await readPicture(store.publicUrl, params.file))
      if (!picture) throw notFound('not_found', 'There is no such picture.')
      return reply.type('image/webp').send(picture)
    },
  )

  app.get('/*', async (request, reply) => {
    const { pathname } = new URL(request.url, 'http://office')
    const file = files.get(pathname) ?? (pathname.startsWith('/assets/') ? undefined : files.get(DOCUMENT))
    if (!file) throw notFound('not_found', 'There is no such file.')
    return reply.type(file.type).send(file.content)
  })

  return app
}

/** Client and server take a segment of dots for another path. */
function checkParams({ path }: Endpoint, params: Record<string, unknown> = {}) {
  for (const [, name = ''] of path.matchAll(/:(\w+)/g)) {
    const value = String(params[name] ?? '')
    if (/^\.{0,2}$/.test(value))
      throw invalid('invalid_request', `${name} is missing or wrong`, { errors: [{ msg: 'is wrong', path: name }] })
  }
}

/** What is thrown by clients, also for a service that does not respond, has a message for operators. */
function errorResponse(error: Error | FastifyError | ExpectedError) {
  const { message } = error
  if (error instanceof ExpectedError) {
    const { errors, details } = error.extras
    return { status: error.statusCode, code: error.code, message, errors, details }
  }
  const { statusCode } = error as Partial<FastifyError>
  if (statusCode && statusCode < 500) return { status: statusCode, code: 'invalid_request', message }
  return { status: 503, code: 'service_unavailable', message }
}
