import type { ErrorResponse } from '@nifty/api/errors'
import type { ValidateFunction } from 'ajv'
import { isAccount } from './callers.ts'
import { type Operation, operationAt, type Schema } from './document.ts'
import type { Seen } from './seen.ts'
import type { Answer, FuzzRequest } from './send.ts'

const internals = /\bat .*[/(].*\.[jt]s:\d+|node_modules|\b(SELECT|INSERT|UPDATE) .*(FROM|INTO|SET)\b|ECONNREFUSED/
/** Segments that every server reads alike. */
const isPlain = (path: string) => /^(\/[\w@-][\w.@-]*)+$/.test(path)

/** What is wrong with the response; empty when nothing is. */
export function faultsOf(
  request: FuzzRequest,
  answer: Answer,
  { operations, seen }: { operations: Operation[]; seen: Seen },
): string[] {
  const { status } = answer
  const [path = '', search = ''] = request.path.split(/\?(.*)/s)
  const faults: string[] = []
  const demand = (holds: boolean, fault: string) => holds || faults.push(fault)
  demand(status < 500, `${status}: an error of the server`)
  demand(!internals.test(answer.body.toString('latin1')), 'the body shows internals of the server')

  const operation = operationAt(operations, request.method, path)
  if (!operation) {
    const isHead = request.method === 'HEAD'
    demand(isHead || status >= 400, `${status} from an undocumented operation`)
    if (status >= 400 && !isHead) faults.push(...faultsOfError(answer))
    return faults
  }
  const documented = operation.responses.get(String(status)) ?? operation.responses.get(`${String(status)[0]}XX`)
  demand(documented !== undefined, `the document has no status ${status}`)
  if (status >= 400) faults.push(...faultsOfError(answer))
  if (documented) faults.push(...faultsOfContent(answer, documented))

  const isGuarded = operation.access !== 'public' && operation.access !== 'optional'
  if (isGuarded && !isAccount(request.caller)) {
    demand(status >= 400, `${status} for a caller without a valid token: authentication is ignored`)
    const isCrossSite = 'origin' in request.headers || 'sec-fetch-site' in request.headers
    // Fastify refuses a content type that is none before any hook runs.
    const isTyped = /^[\w.+-]+\/[\w.+-]+ *(;.*)?$/.test(request.headers['content-type'] ?? 'no/body')
    // A long address or parameter is refused before the caller is known.
    if (isPlain(path) && status !== 414 && isTyped && !isCrossSite) {
      demand(status === 401, `${status} for a caller without a valid token, not 401`)
      demand(answer.headers['www-authenticate'] !== undefined, '401 without www-authenticate')
    }
  }
  if (status >= 300) return faults

  if (isGuarded) demand(answer.headers['cache-control'] === 'no-store', 'a private response may be stored by caches')
  if (operation.access === 'seller') demand(request.caller === 'seller', 'an account that may not sell is accepted')
  const params = paramsOf(operation, path)
  const owner = params.id === undefined ? undefined : seen.owners.get(params.id)
  if (isGuarded && owner !== undefined) demand(owner === request.caller, `${owner}'s object for ${request.caller}`)
  demandValid(operation.acceptsParams, params, 'path')
  demandValid(operation.acceptsQuery, queryOf(search, operation.query), 'query')
  if (operation.acceptsBody) demandValid(operation.acceptsBody, jsonOf(request.body ?? Buffer.from('')), 'body')
  return faults

  function demandValid(accepts: ValidateFunction, value: unknown, part: string) {
    demand(accepts(value), `${status} for a ${part} that the document refuses: ${explain(accepts)}`)
  }
}

function faultsOfContent(
  { headers, body }: Answer,
  { types, accepts }: { types: string[]; accepts?: ValidateFunction },
): string[] {
  const type = (headers['content-type'] ?? '').split(';')[0]!
  if (types.length === 0) return body.length > 0 ? ['a body where the document has none'] : []
  if (!types.includes(type)) return [`content type ${type || 'missing'}, documented: ${types.join(', ')}`]
  if (!accepts) return []
  return accepts(jsonOf(body)) ? [] : [`the body is not as documented: ${explain(accepts)}`]
}

/** The rules that hold for all errors. */
function faultsOfError({ status, headers, body }: Answer): string[] {
  const error = jsonOf(body) as Partial<ErrorResponse> | undefined
  const faults: string[] = []
  if (error?.success !== false || !error.code || !error.message) faults.push('an error without its code and message')
  const needed = { 405: 'allow', 429: 'retry-after' }[status]
  if (needed && !headers[needed]) faults.push(`${status} without ${needed}`)
  return faults
}

const explain = ({ errors }: ValidateFunction) =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`).join(', ')

/** Undefined for what is no JSON. A byte order mark is ignored, as parsers may. */
function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString().replace(/^\ufeff/, ''))
  } catch {
    return undefined
  }
}

export function paramsOf({ segments }: Operation, path: string): Record<string, string> {
  const sent = path.split('/').slice(1)
  return Object.fromEntries(
    segments.flatMap((segment, place) => {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      return name ? [[name, decoded(sent[place]!)]] : []
    }),
  )
}

/** A name that is given twice has a list as value. A number is the one that its text spells; an empty one is absent. */
function queryOf(search: string, { properties = {} }: Schema): Record<string, unknown> {
  const query: Record<string, unknown> = {}
  const given = new URLSearchParams(search)
  for (const name of given.keys()) {
    const values = given.getAll(name)
    const text = values[0]!
    const isNumber = Object.hasOwn(properties, name) && isNumeric(properties[name]!)
    if (isNumber && text === '' && values.length === 1) continue
    const value = values.length > 1 ? values : isNumber && /^\d+(\.\d+)?$/.test(text) ? Number(text) : text
    Object.defineProperty(query, name, { value, enumerable: true })
  }
  return query
}

const isNumeric = ({ type, enum: values }: Schema) =>
  type === 'integer' || type === 'number' || typeof values?.[0] === 'number'

function decoded(segment: string) {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
