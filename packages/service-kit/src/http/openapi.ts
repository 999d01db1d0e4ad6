import type { FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import type { Access, Endpoint } from '@nifty/api/endpoint'
import { responses } from '@nifty/api/errors'

export const securityOf = (access: Access) => {
  if (access === 'public') return []
  if (access === 'optional') return [{}, { bearer: [] }]
  if (access === 'service') return [{ serviceKey: [] }]
  return access === 'operator' ? [{ operator: [] }] : [{ bearer: [] }]
}

/** Named in every OpenAPI document; `security` of each operation refers to them. */
export const securitySchemes = {
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  serviceKey: { type: 'apiKey', in: 'header', name: 'x-internal-key' },
  operator: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
} as const

/** The document of one app, in the version whose schemas are JSON Schema: earlier ones cannot express `null`. */
export const openApiOptions = (title: string): FastifyDynamicSwaggerOptions => ({
  openapi: { openapi: '3.1.0', info: { title, version: '1' }, components: { securitySchemes } },
  transform: ({ schema, url, route }) => {
    const endpoint = route.config?.endpoint
    return { url, schema: endpoint ? { ...schema, ...documentedSchemas(endpoint) } : schema }
  },
})

const file = { schema: { type: 'string', format: 'binary' } }

/** What the document has for an endpoint in place of the schemas by which Fastify validates. */
function documentedSchemas({ documented = {}, produces, cached, response, status }: Endpoint) {
  const code: number = status ?? 200
  const { query: querystring, body } = documented
  const content = produces && Object.fromEntries(produces.map((type) => [type, file]))
  const good = {
    ...(content ? { [code]: { content } } : { [code]: response ?? { type: 'null' } }),
    ...(cached ? { 304: { type: 'null', description: 'Not modified' } } : {}),
  }
  return { ...(querystring ? { querystring } : {}), ...(body ? { body } : {}), response: responses(good) }
}
