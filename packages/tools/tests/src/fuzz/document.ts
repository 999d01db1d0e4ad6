import type { Access } from '@nifty/api/endpoint'
import { endpoints } from '@nifty/api/endpoints/all'
import { serviceNames } from '@nifty/api/services'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** The parts of JSON Schema that our OpenAPI document uses. */
export type Schema = {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
}

type Content = Record<string, { schema: Schema }>
type DocumentedOperation = {
  parameters?: { name: string; in: 'path' | 'query'; required?: boolean; schema: Schema }[]
  security: Record<string, unknown>[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
export type OpenApiDocument = {
  openapi: string
  paths: Record<string, Record<string, DocumentedOperation>>
  components: Record<string, Record<string, unknown>>
}

export type Operation = {
  /** `PUT /api/users/{id}`. */
  name: string
  method: string
  segments: string[]
  access: Access | undefined
  params: Schema
  query: Schema
  body?: { type: string; schema: Schema }
  /** By status or class of statuses (`4XX`): the media types, and what a JSON body must be. */
  responses: Map<string, { types: string[]; accepts?: ValidateFunction }>
  acceptsParams: ValidateFunction
  acceptsQuery: ValidateFunction
  acceptsBody?: ValidateFunction
}

const JSON_TYPE = 'application/json'

const accessOf = new Map(
  serviceNames
    .flatMap((service) => endpoints[service].public)
    .map(({ method, path, access }) => [`${method} ${path.replace(/:(\w+)/g, '{$1}')}`, access]),
)

/** Every operation of the document, with compiled validators of its parameters, body and responses. */
export function operationsOf(document: OpenApiDocument): Operation[] {
  const ajv = new Ajv2020({ strict: false, multipleOfPrecision: 6 })
  addFormats.default(ajv)
  ajv.addFormat('binary', true)

  return Object.entries(withoutReferences(document).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, documented]): Operation => {
      const name = `${method.toUpperCase()} ${path}`
      const [params, query] = [parametersOf(documented, 'path'), parametersOf(documented, 'query')]
      const [type, content] = Object.entries(documented.requestBody?.content ?? {})[0] ?? []
      return {
        name,
        method: method.toUpperCase(),
        segments: path.split('/').slice(1),
        access: accessOf.get(name),
        params,
        query,
        ...(type && content && { body: { type, schema: content.schema } }),
        responses: new Map(Object.entries(documented.responses).map((each) => [each[0], responseOf(ajv, each[1])])),
        acceptsParams: ajv.compile(params),
        acceptsQuery: ajv.compile(query),
        ...(type === JSON_TYPE && content && { acceptsBody: ajv.compile(content.schema) }),
      }
    }),
  )
}

/** Puts the named parts of the document where they are referred to. */
function withoutReferences(document: OpenApiDocument): OpenApiDocument {
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve)
    if (typeof value !== 'object' || value === null) return value
    const [, kind = '', name = ''] = ('$ref' in value && /^#\/components\/(\w+)\/(\w+)$/.exec(String(value.$ref))) || []
    if (name) return resolve(document.components[kind]![name])
    return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, resolve(own)]))
  }
  return { ...document, paths: resolve(document.paths) as OpenApiDocument['paths'] }
}

function responseOf(ajv: Ajv2020, { content = {} }: { content?: Content }) {
  const schema = content[JSON_TYPE]?.schema
  return { types: Object.keys(content), ...(schema && { accepts: ajv.compile(schema) }) }
}

function parametersOf({ parameters = [] }: DocumentedOperation, place: 'path' | 'query'): Schema {
  const own = parameters.filter((each) => each.in === place)
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, schema])),
    required: own.filter(({ required }) => required).map(({ name }) => name),
  }
}

const isParam = (segment: string) => segment.startsWith('{')

/** The operation that serves a raw path; literal segments go before parameters. Undefined where none is documented. */
export function operationAt(operations: Operation[], method: string, rawPath: string): Operation | undefined {
  const sent = rawPath.split('/').slice(1)
  const fits = ({ segments }: Operation) =>
    segments.length === sent.length && segments.every((segment, place) => isParam(segment) || segment === sent[place])
  const literals = ({ segments }: Operation) => segments.map((segment) => (isParam(segment) ? '1' : '0')).join('')
  return operations
    .filter((operation) => operation.method === method && fits(operation))
    .sort((a, b) => (literals(a) < literals(b) ? -1 : 1))[0]
}
