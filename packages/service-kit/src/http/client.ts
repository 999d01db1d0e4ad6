import { type EndpointClient, endpointUrl } from '@nifty/api/endpoint'
import { accessDenied, ExpectedError, unavailable } from '../base/errors.ts'
import { currentContext, type Log } from '../base/logs.ts'
import { inSpan, traceHeaders } from '../base/trace.ts'
import { sendRequest } from './request.ts'

const TIMEOUT_MS = 5_000

/** The headers that prove who sends a request to a service's internal port. */
export type Credential = (request: {
  service: string
  method: string
  url: string
  body?: string
}) => Record<string, string>

/** Calls the internal endpoints of one service. */
export type ServiceClient = EndpointClient

/**
 * Sends requests to one service's internal port. No service redirects, and a redirect is not followed: the proof in the
 * headers would go to another address. An error response is thrown as the same ExpectedError; no response within
 * `timeoutMs` is a 503 `service_unavailable`: the outcome is unknown, and the caller may retry. With `log`, so is a
 * refused credential, which is logged: the user whose request caused the call did nothing wrong.
 */
export function createServiceClient({
  url,
  credential,
  name,
  timeoutMs = TIMEOUT_MS,
  log,
}: {
  url: string
  credential: Credential
  name: string
  timeoutMs?: number
  log?: Log
}): ServiceClient {
  async function send(method: string, path: string, content?: unknown) {
    const body = content === undefined ? undefined : JSON.stringify(content)
    const response = await sendRequest(`${url}${path}`, {
      method,
      timeoutMs,
      headers: {
        ...credential({ service: name, method, url: path, body }),
        'x-request-id': currentContext()?.correlationId ?? crypto.randomUUID(),
        ...traceHeaders(),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body,
    }).catch(() => Promise.reject(serviceUnavailable(name)))
    const answer = parseJson(response.body)
    if (response.isOk) return answer
    const error = asExpectedError(response.status, answer, name)
    if (!log || error.code !== accessDenied().code) throw error
    log.error({ peer: name, method, path }, `client: ${name} refused the key of this service, returning 503`)
    throw serviceUnavailable(name)
  }

  return (endpoint, ...args) => {
    const [input = {}] = args as [object?]
    const { params, query, body } = input as Record<'params' | 'query' | 'body', Record<string, unknown> | undefined>
    const { method } = endpoint
    const path = endpointUrl(endpoint, { params, query })
    const attributes = { 'http.request.method': method, 'url.path': path }
    return inSpan({ name: `${method} ${name}`, kind: 'client', attributes }, () =>
      send(method, path, body),
    ) as Promise<never>
  }
}

/** Undefined for all else. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}

const serviceUnavailable = (name: string) =>
  unavailable('service_unavailable', `The ${name} service is unavailable, please try again.`)

const kinds = {
  400: 'invalid',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  414: 'uri_too_long',
  429: 'too_many',
  503: 'unavailable',
} as const

function asExpectedError(status: number, answer: unknown, name: string) {
  const kind = kinds[status as keyof typeof kinds]
  const { code, message, details, errors } = (answer ?? {}) as Record<string, never>
  if (!kind || typeof code !== 'string') return serviceUnavailable(name)
  return new ExpectedError(kind, code, String(message), { details, errors })
}
