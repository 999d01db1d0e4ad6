import {
  DEVICE_HEADER,
  type Endpoint,
  type EndpointInput,
  type EndpointResponse,
  endpointUrl,
  STEP_UP_HEADER,
} from '@nifty/api/endpoint'
import type { ErrorResponse } from '@nifty/api/errors'
import { dropOldPreload, recordOwnChange } from './own-changes.ts'
import { preloaded } from './preloaded.ts'
import { endSession, getSession } from './session.ts'
import { askForStepUp, stepUpOf } from './step-up.ts'

/** A failed request. `status` is 0 when no response arrived: network error or timeout. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: { msg: string; path: string }[]
  readonly details: Record<string, unknown>
  /** False when the server sent no message and `message` is the default text. */
  readonly fromServer: boolean

  constructor(status: number, response: Partial<ErrorResponse>) {
    super(response.message || 'Something went wrong. Please try again.')
    this.name = 'ApiError'
    this.status = status
    this.code = response.code ?? 'no_response'
    this.errors = response.errors ?? []
    this.details = response.details ?? {}
    this.fromServer = Boolean(response.message)
  }
}

type Options = {
  /** The body of an endpoint that consumes `multipart/form-data`. */
  form?: FormData
  /** Milliseconds until the request is aborted. */
  timeoutMs?: number
  /** Sent with log-ins. */
  deviceId?: string
  /** Makes a repeated request safe, where the endpoint supports it. */
  idempotencyKey?: string
}

/** The second argument of `request` and `send`; optional for an endpoint without required parts. */
export type RequestArguments<E extends Endpoint> =
  Record<never, never> extends EndpointInput<E>
    ? [input?: EndpointInput<E> & Options]
    : [input: EndpointInput<E> & Options]

type AnyInput = Options & { params?: Record<string, unknown>; query?: Record<string, unknown>; body?: unknown }

/**
 * Sends a request. Endpoints that are not public get the bearer token, and a 401 from them ends the session; cached
 * ones get it too, so that own changes show at once. An image is a `Blob`. Where the server demands a step-up, the
 * owner is asked and the request is sent once more. Rejects with an ApiError only, each try at the latest after
 * `timeoutMs` ms.
 */
export async function request<E extends Endpoint>(
  endpoint: E,
  ...[input]: RequestArguments<E>
): Promise<EndpointResponse<E>> {
  try {
    return await sendOnce(endpoint, input ?? {})
  } catch (error) {
    const needed = endpoint.stepUp && error instanceof ApiError && error.code === 'step_up_required'
    if (!needed || !(await askForStepUp())) throw error
    return sendOnce(endpoint, input ?? {})
  }
}

async function sendOnce<E extends Endpoint>(endpoint: E, input: AnyInput): Promise<EndpointResponse<E>> {
  const { params, query, body, form, timeoutMs = 20_000, deviceId, idempotencyKey } = input
  const { token } = getSession()
  const needsToken = endpoint.access !== 'public'
  const url = endpointUrl(endpoint, { params, query })
  const headers = new Headers({ accept: 'application/json' })
  if ((needsToken || endpoint.cached) && token) headers.set('authorization', `Bearer ${token}`)
  const stepUp = endpoint.stepUp && stepUpOf(token)
  if (stepUp) headers.set(STEP_UP_HEADER, stepUp)
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (deviceId) headers.set(DEVICE_HEADER, deviceId)
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)

  let status = 0
  let data: unknown
  try {
    if (token && endpoint.cached) await dropOldPreload(url)
    if (endpoint.method === 'GET') {
      const early = await preloaded.take(url)
      if (early !== undefined) return early as EndpointResponse<E>
    }
    const response = await fetch(url, {
      method: endpoint.method,
      headers,
      body: form ?? (body === undefined ? undefined : JSON.stringify(body)),
      signal: AbortSignal.timeout(timeoutMs),
    })
    status = response.status
    const isImage = response.headers.get('content-type')?.startsWith('image/')
    data = response.ok && isImage ? await response.blob() : await response.json()
    if (response.ok) return data as EndpointResponse<E>
  } catch {
    // No response, or no JSON.
  } finally {
    // Also without a response: the change may have been made.
    if (token) recordOwnChange(endpoint)
  }
  if (status === 401 && needsToken && getSession().token === token) endSession()
  throw new ApiError(status, isRecord(data) ? data : {})
}

export type Outcome<Data> = { ok: true; data: Data } | { ok: false; error: ApiError }

/** For event handlers: `request` that never rejects, so a click cannot cause an unhandled rejection. */
export async function send<E extends Endpoint>(
  endpoint: E,
  ...input: RequestArguments<E>
): Promise<Outcome<EndpointResponse<E>>> {
  try {
    return { ok: true, data: await request(endpoint, ...input) }
  } catch (error) {
    return { ok: false, error: error instanceof ApiError ? error : new ApiError(0, {}) }
  }
}

const isRecord = (value: unknown): value is Partial<ErrorResponse> => typeof value === 'object' && value !== null

/** The first error message of each form field, by field name. */
export function fieldErrors(error: ApiError | undefined): Record<string, string | undefined> {
  const messages: Record<string, string> = {}
  for (const { path, msg } of error?.errors ?? []) messages[path] ??= msg
  return messages
}
