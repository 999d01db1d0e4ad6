import { setTimeout as sleep } from 'node:timers/promises'
import type { Faults, RequestFault } from '../control/fault.ts'
import { applyDueChanges } from '../due-changes/due-changes.ts'
import { ApiError, internalError, invalidApiKey, tooManyRequests, withoutRight } from '../errors/api-error.ts'
import { newId } from '../store/id.ts'
import type { Store } from '../store/store.ts'
import type { ApiKeys } from './api-keys.ts'
import type { Endpoint, PathParams, ReadEndpoint, WriteEndpoint } from './endpoint.ts'
import { expand } from './expansion.ts'
import { canonical, decodeForm } from './form.ts'
import { findStoredResponse, keyTooLong, type StoredResponse } from './idempotency.ts'

type ApiRequest = {
  method: string
  /** Without the query. */
  path: string
  query: string
  body: string
  params: PathParams
  authorization: string | undefined
  idempotencyKey: string | undefined
  /** The API version of the caller. */
  version: string
}

type ApiResponse = { status: number; body: unknown; headers: Record<string, string> }

/** No response: the connection is closed after so many real milliseconds. */
type NoResponse = { closeAfterMs: number }

export type Pipeline = (endpoint: Endpoint, request: ApiRequest) => Promise<ApiResponse | NoResponse>

type Deps = { store: Store; faults: Faults; apiKeys: ApiKeys }
type Outcome = { status: number; body: unknown }

const toOutcome = (error: unknown): Outcome => {
  if (!(error instanceof ApiError)) throw error
  return { status: error.status, body: { error: error.body } }
}

function checkApiKey(authorization: string | undefined, apiKeys: ApiKeys) {
  const [scheme, value = ''] = authorization?.split(' ') ?? []
  const key = scheme?.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value
  if (!apiKeys.accepts(key)) throw invalidApiKey(key)
}

/** Handles API requests in the processor's order: API key, rate limit, idempotency, parameters, execution. */
export function createPipeline({ store, faults, apiKeys }: Deps): Pipeline {
  const keysInUse = new Set<string>()

  return async (endpoint, request) => {
    const requestId = newId('req', 14)
    const headers: Record<string, string> = { 'request-id': requestId, 'stripe-version': request.version }
    if (request.idempotencyKey) headers['idempotency-key'] = request.idempotencyKey
    try {
      checkApiKey(request.authorization, apiKeys)
      applyDueChanges(store)
      const fault = faults.ofRequest(request.method, request.path)
      if (fault?.mode === 'rate_limit') throw tooManyRequests()
      if (fault?.mode === 'forbidden') throw withoutRight()
      if (fault?.mode === 'timeout_before') return { closeAfterMs: fault.delayMs }

      const outcome =
        endpoint.method === 'GET'
          ? await handleRead(endpoint, request, fault)
          : await handleWrite(endpoint, request, { requestId, headers, fault })
      if (fault?.mode === 'timeout_after') return { closeAfterMs: fault.delayMs }
      return { ...outcome, headers }
    } catch (error) {
      return { ...toOutcome(error), headers }
    }
  }

  async function handleRead(endpoint: ReadEndpoint, { query, params }: ApiRequest, fault?: RequestFault) {
    if (fault?.mode === 'slow') await sleep(fault.delayMs)
    if (fault?.mode.startsWith('error')) throw internalError()
    const { body, expand: paths } = endpoint.read(store, decodeForm(query), params)
    return { status: 200, body: expand(store, body, paths) }
  }

  type WriteContext = { requestId: string; headers: Record<string, string>; fault?: RequestFault }

  async function handleWrite(
    endpoint: WriteEndpoint,
    request: ApiRequest,
    { requestId, headers, fault }: WriteContext,
  ): Promise<Outcome> {
    const { idempotencyKey: key, path } = request
    const raw = decodeForm(request.body)
    if (!key) return execute(endpoint, request, { requestId, fault })
    if (key.length > 255) throw keyTooLong()

    const parameters = canonical(raw)
    const now = store.clock.seconds()
    const stored = findStoredResponse({ key, path, parameters, now }, { stored: store.responses.get(key), keysInUse })
    if (stored) {
      headers['idempotent-replayed'] = 'true'
      headers['original-request'] = stored.requestId
      return stored
    }
    keysInUse.add(key)
    try {
      return await execute(endpoint, request, { requestId, fault, key, parameters })
    } finally {
      keysInUse.delete(key)
    }
  }

  type ExecutionContext = { requestId: string; fault?: RequestFault; key?: string; parameters?: string }

  async function execute(endpoint: WriteEndpoint, request: ApiRequest, context: ExecutionContext): Promise<Outcome> {
    const { fault, key, requestId } = context
    if (fault?.mode === 'slow') await sleep(fault.delayMs)
    const prepared = endpoint.prepare(decodeForm(request.body), {
      now: store.clock.seconds(),
      version: request.version,
    })
    const cause = { id: requestId, idempotency_key: key ?? null }
    const serverError = toOutcome(internalError())
    const responseOf = (outcome: Outcome): StoredResponse | undefined =>
      key
        ? {
            key,
            requestId,
            path: request.path,
            parameters: context.parameters!,
            created: store.clock.seconds(),
            ...outcome,
          }
        : undefined
    const storeResponse = (outcome: Outcome) => {
      const response = responseOf(outcome)
      if (response) store.record({ response })
      return outcome
    }

    if (fault?.mode === 'error_before') return fault.stored ? storeResponse(serverError) : serverError
    try {
      applyDueChanges(store)
      return store.transaction(cause, (tx) => {
        const body = expand(tx, prepared.execute(tx, request.params), prepared.expand)
        const outcome = fault?.mode === 'error_after' ? serverError : { status: 200, body }
        const response = responseOf(outcome)
        if (response && (outcome !== serverError || fault?.stored)) tx.saveResponse(response)
        return outcome
      })
    } catch (error) {
      return storeResponse(toOutcome(error))
    }
  }
}
