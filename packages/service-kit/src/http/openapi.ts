import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import { accessTexts } from '@nifty/api/access-texts'
import { type Access, type Endpoint, rolesOf, STEP_UP_HEADER } from '@nifty/api/endpoint'
import { ErrorResponse } from '@nifty/api/errors'
import { limits } from '@nifty/api/limits'
import { services } from '@nifty/api/services'

export const securityOf = (access: Access) => {
  if (access === 'public') return []
  if (access === 'optional') return [{}, { bearer: [] }]
  if (access === 'service') return [{ serviceKey: [] }]
  return access === 'operator' ? [{ operator: [] }] : [{ bearer: [] }]
}

/** `security` of each operation refers to them. */
const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  serviceKey: { type: 'apiKey', in: 'header', name: 'x-internal-key' },
  operator: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
} as const

const infoOf = (title: string) => ({
  title,
  version: '1',
  description: 'Errors: `{success:false, code, message, errors?}`. Amounts are euros, times ISO 8601 in UTC.',
  license: { name: 'MIT', identifier: 'MIT' },
})

type Schema = Record<string, unknown>
type Operation = Record<string, unknown> & { requestBody?: { content: Record<string, { schema: unknown }> } }

/**
 * The document of one app, in the version whose schemas are JSON Schema: earlier ones cannot express `null`. `names`
 * has the constants of endpoints and shapes; it is called when the document is made, once.
 */
export function openApiOptions(
  { title, service }: { title: string; service: string },
  names: () => ReadonlyMap<object, string>,
): FastifyDynamicSwaggerOptions {
  const endpoints = new Map<string, Endpoint>()
  return {
    openapi: {
      openapi: '3.1.0',
      info: infoOf(title),
      tags: services.filter(({ name }) => name === service).map(({ name, description }) => ({ name, description })),
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => {
      const endpoint = route.config?.endpoint
      if (!endpoint) return { url, schema }
      const { method, path, documented: { query: querystring, body } = {} } = endpoint
      endpoints.set(`${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`, endpoint)
      return { url, schema: { ...schema, ...(querystring ? { querystring } : {}), ...(body ? { body } : {}) } }
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) return document.swaggerObject
      const { openapiObject } = document
      const { refer, schemas } = namedShapes(names())
      const error = { content: { 'application/json': { schema: refer(ErrorResponse) } } }
      for (const [path, methods] of Object.entries(openapiObject.paths ?? {}))
        for (const [method, operation] of Object.entries(methods ?? {})) {
          const endpoint = endpoints.get(`${method} ${path}`)
          if (endpoint) describe(operation as Operation, endpoint, { service, refer, name: names().get(endpoint) })
        }
      const responses = {
        Refused: { description: 'The request is refused; `code` is the reason.', ...error },
        Failed: { description: 'The store fails or is busy. A request may be sent again after a while.', ...error },
      }
      return { ...openapiObject, components: { ...openapiObject.components, schemas, responses } } as never
    },
  }
}

export type OpenApi = { paths?: Record<string, unknown>; components?: Record<string, object> }

/** Merges the documents of services into that of the store, for callers of its public port. */
export const mergeDocuments = (
  documents: (OpenApi | undefined)[],
  { publicUrl, title }: { publicUrl: string; title: string },
) => ({
  openapi: '3.1.0',
  info: infoOf(title),
  servers: [{ url: publicUrl }],
  tags: services.map(({ name, description }) => ({ name, description })),
  paths: Object.assign({}, ...documents.map((document) => document?.paths)),
  components: {
    schemas: Object.assign({}, ...documents.map((document) => document?.components?.schemas)),
    responses: Object.assign({}, ...documents.map((document) => document?.components?.responses)),
    securitySchemes: { bearer: securitySchemes.bearer },
  },
})

const file = { schema: { type: 'string', format: 'binary' } }

/** Puts what the endpoint's constant says into its operation. */
function describe(
  operation: Operation,
  endpoint: Endpoint,
  { service, refer, name }: { service: string; refer: (schema: object) => Schema; name: string | undefined },
) {
  const { summary, description, produces, cached, response, status, body, documented } = endpoint
  const json = (schema: object) => ({ 'application/json': { schema: refer(schema) } })
  const content = produces
    ? Object.fromEntries(produces.map((type) => [type, file]))
    : json(response ?? { type: 'null' })
  const sent = operation.requestBody?.content['application/json']
  if (sent) sent.schema = refer(documented?.body ?? body!)
  Object.assign(operation, {
    ...(name ? { operationId: name } : {}),
    ...(summary ? { summary } : {}),
    description: [description, ...conditionsOf(endpoint)].filter(Boolean).join(' '),
    tags: [service],
    responses: {
      [status ?? 200]: { description: status === 202 ? 'Accepted' : 'Success', content },
      ...(cached ? { 304: { description: 'Not modified' } } : {}),
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Failed' },
    },
  })
}

/** What follows from the fields of an endpoint, as sentences. */
function conditionsOf(endpoint: Endpoint): string[] {
  const { access, stepUp, limit = limits.api, cached } = endpoint
  const roles = rolesOf(endpoint)
  return [
    accessTexts[access],
    ...(roles.length > 0
      ? [`Needs the role ${roles.map((role) => `\`${role}\``).join(' or ')}: 403 \`role_required\` without it.`]
      : []),
    ...(stepUp ? [`${stepUp === 'always' ? 'Needs' : 'May need'} a step-up token in \`${STEP_UP_HEADER}\`.`] : []),
    ...(access === 'service' || access === 'operator' ? [] : [`At most ${limit.perMinute} requests a minute: 429.`]),
    ...(cached ? ['Cached: without a bearer token at most a second old, with an `ETag`.'] : []),
  ]
}

/** Copies schemas; shapes with a name become references to `schemas`. */
function namedShapes(names: ReadonlyMap<object, string>) {
  const schemas: Record<string, Schema> = {}
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object' || value === null) return value
    return refer(value)
  }
  const copyFields = (schema: object): Schema =>
    Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, copy(value)]))
  function refer(schema: object): Schema {
    const name = 'type' in schema && schema.type === 'object' ? names.get(schema) : undefined
    if (!name) return copyFields(schema)
    schemas[name] ??= copyFields(schema)
    return { $ref: `#/components/schemas/${name}` }
  }
  return { refer, schemas }
}
