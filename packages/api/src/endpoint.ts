import type { Static, TObject, TSchema } from 'typebox'
import type { Limit } from './limits.ts'
import type { ServiceName } from './services.ts'

/**
 * Who may call an endpoint. The server refuses everyone else before it reads a body. `optional`: public, and a valid
 * bearer token of the right account gets more. `account`: a valid bearer token; `seller`: its account also has the
 * admin flag. `service` and `operator` exist only on internal ports, which the gateway cannot reach.
 */
export type Access = 'public' | 'optional' | 'account' | 'seller' | 'service' | 'operator'

/** What operators may do; an entry of `OPERATORS` has several, or all. `owner` may do everything. */
export const operatorRoles = ['support', 'money', 'moderation', 'chain', 'owner'] as const
export type OperatorRole = (typeof operatorRoles)[number]

type ForOperators = {
  access: 'operator'
  /** An operator with neither this role nor one of `alsoFor` gets a 403 `role_required`. */
  role: OperatorRole
  /** Further roles that may call it, to find what their own endpoints take or return by id. It only reads. */
  alsoFor?: readonly OperatorRole[]
  /** `always`: it moves money, changes rights or signers, takes something down, or cannot be undone. */
  confirm: 'always' | 'never'
}
type ForOthers = {
  access: Exclude<Access, 'operator'>
  role?: undefined
  alsoFor?: undefined
  confirm?: undefined
}

/** One HTTP endpoint: the server registers it, clients call it, the OpenAPI document and the access tests read it. */
export type Endpoint = (ForOperators | ForOthers) & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With `:params`, as Fastify writes them. */
  path: string
  /** What it does, in a line without a full stop; in the OpenAPI document, as `description`. */
  summary?: string
  /** Conditions, error codes, limits. What follows from the other fields is added to it. */
  description?: string
  /** `limits.api` when absent. */
  limit?: Limit
  /**
   * A bearer token alone does not suffice: without a valid `X-Step-Up` token (`POST /api/auth/step-up`) it is a 403
   * `step_up_required`. `sometimes`: the handler decides from the request (`requireStepUp`).
   */
  stepUp?: 'always' | 'sometimes'
  /** Services that may call it; only with the access `service`. */
  callers?: readonly ServiceName[]
  params?: TObject
  /** Values are strings: the handler parses them, so that a wrong one gets its own message. */
  query?: TObject
  /** JSON; absent for endpoints without a body and for those that read it themselves (`consumes`). */
  body?: TSchema
  consumes?: 'multipart/form-data' | 'application/octet-stream'
  /**
   * For the OpenAPI document only: what the handler demands beyond `query` and `body`, numbers of the query, and the
   * fields of a multipart form. An empty number of the query counts as absent. The handler checks these itself, so that
   * each wrong field gets its own message.
   */
  documented?: { query?: TObject; body?: TObject }
  /** Media types of a successful response that is a file. */
  produces?: readonly string[]
  /**
   * The response is cached: without a bearer token it may be a second old, with one (which is not verified) it includes
   * everything committed before the request. It has an ETag, and is a 304 without a body for an `If-None-Match` that
   * names it.
   */
  cached?: true
  /**
   * The response is the same for everyone. Gateways send the one of the last minute to a client without a bearer token
   * while the service does not respond, as they do for cached endpoints.
   */
  kept?: true
  /** Status of a successful response, 200 when absent. */
  status?: 202
  /** JSON of a successful response; absent where it is a file or text. */
  response?: TSchema
  /** Left out of the OpenAPI document. */
  hidden?: true
}

/** Operators with one of these roles may call it; none for an endpoint that is not for operators. */
export const rolesOf = ({ role, alsoFor = [] }: Pick<Endpoint, 'role' | 'alsoFor'>): OperatorRole[] =>
  role === undefined ? [] : [role, ...alsoFor]

type Part<T> = T extends TSchema ? Static<T> : undefined

export type EndpointParams<E extends Endpoint> = Part<E['params']>
export type EndpointQuery<E extends Endpoint> = Part<E['query']>
export type EndpointBody<E extends Endpoint> = Part<E['body']>
export type EndpointResponse<E extends Endpoint> = E['response'] extends TSchema ? Static<E['response']> : unknown

type Given<Name extends string, T> = T extends TSchema ? { [key in Name]: Static<T> } : { [key in Name]?: undefined }

/** What a client passes: exactly the parts that the endpoint declares. */
export type EndpointInput<E extends Endpoint> = Given<'params', E['params']> &
  Given<'body', E['body']> &
  (E['query'] extends TSchema ? { query?: Static<E['query']> } : { query?: undefined })

/** The input argument of a client; optional for an endpoint without required parts. */
export type EndpointArguments<E extends Endpoint> =
  Record<never, never> extends EndpointInput<E> ? [input?: EndpointInput<E>] : [input: EndpointInput<E>]

/** A client of one server: sends the request and resolves with the parsed response. */
export type EndpointClient = <E extends Endpoint>(
  endpoint: E,
  ...input: EndpointArguments<E>
) => Promise<EndpointResponse<E>>

/** Name of the request header that carries a step-up token. */
export const STEP_UP_HEADER = 'x-step-up'

/**
 * Header of a gateway's requests to cached endpoints without a token, and of the responses: for how many milliseconds
 * the response includes every change that was committed more than a second ago. Gateways remove it.
 */
export const CACHE_MS_HEADER = 'x-internal-cache-ms'

/** A change is visible to everyone within this time, in milliseconds. */
export const MAX_CACHED_MS = 1_000

/**
 * Header of log-ins: a random id that the browser keeps. Attempts from a device that logged in before are counted
 * apart, so that others who guess do not keep the owner out.
 */
export const DEVICE_HEADER = 'x-device-id'

export const endpoint = <const E extends Endpoint>(definition: E): E => definition

export const isEndpoint = (value: unknown): value is Endpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'access' in value

/** Path and query string of one request. Throws when a path parameter is missing. */
export function endpointUrl(
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  { params = {}, query = {} }: { params?: Record<string, unknown>; query?: Record<string, unknown> } = {},
): string {
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    if (params[name] === undefined) throw new Error(`${method} ${path} needs the path parameter ${name}`)
    return encodeURIComponent(String(params[name]))
  })
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  return `${search}` ? `${filled}?${search}` : filled
}
