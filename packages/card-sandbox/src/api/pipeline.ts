import { setTimeout as pause } from 'node:timers/promises'
import type { Faults, RequestFault } from '../control/fault.ts'
import { letTimePass } from '../store/due-changes.ts'
import { newId } from '../store/id.ts'
import type { Books } from '../store/store.ts'
import { brokenProcessor, Refusal, tooManyRequests, unauthorised } from './api-error.ts'
import type { Changing, Endpoint, Names } from './endpoint.ts'
import { expand } from './expansion.ts'
import { canonical, decodeForm } from './form.ts'
import { keyTooLong, recall, type StoredAnswer } from './idempotency.ts'

export type ApiRequest = {
  method: string
  /** Without the query. */
  path: string
  query: string
  body: string
  names: Names
  authorization: string | undefined
  idempotencyKey: string | undefined
  /** The API version asked for. */
  version: string
}

export type Answer = { status: number; body: unknown; headers: Record<string, string> }

/** No answer at all: the connection ends after so many real milliseconds. */
export type Silence = { silentMs: number }

export type Pipeline = (endpoint: Endpoint, request: ApiRequest) => Promise<Answer | Silence>

type Deps = { books: Books; faults: Faults; secretKey: string }
type Outcome = { status: number; body: unknown }

const toOutcome = (error: unknown): Outcome => {
  if (!(error instanceof Refusal)) throw error
  return { status: error.status, body: { error: error.body } }
}

function checkKey(authorization: string | undefined, secretKey: string) {
  const [scheme, value = ''] = authorization?.split(' ') ?? []
  const key = scheme?.toLowerCase() === 'basic' ? Buffer.from(value, 'base64').toString().split(':')[0] : value
  if (key !== secretKey) throw unauthorised(key)
}

/** Answers API requests as the card processor does: key, limits, idempotency, parameters, then the work itself. */
export function createPipeline({ books, faults, secretKey }: Deps): Pipeline {
  const running = new Set<string>()

  return async (endpoint, request) => {
    const requestId = newId('req', 14)
    const headers: Record<string, string> = { 'request-id': requestId, 'stripe-version': request.version }
    if (request.idempotencyKey) headers['idempotency-key'] = request.idempotencyKey
    try {
      checkKey(request.authorization, secretKey)
      letTimePass(books)
      const fault = faults.ofRequest(request.method, request.path)
      if (fault?.mode === 'rate_limit') throw tooManyRequests()
      if (fault?.mode === 'timeout_before') return { silentMs: fault.delayMs }

      const outcome =
        endpoint.method === 'GET'
          ? await read(endpoint, request, fault)
          : await change(endpoint, request, { requestId, headers, fault })
      if (fault?.mode === 'timeout_after') return { silentMs: fault.delayMs }
      return { ...outcome, headers }
    } catch (error) {
      return { ...toOutcome(error), headers }
    }
  }

  async function read(endpoint: Endpoint & { method: 'GET' }, { query, names }: ApiRequest, fault?: RequestFault) {
    if (fault?.mode === 'slow') await pause(fault.delayMs)
    if (fault?.mode.startsWith('error')) throw brokenProcessor()
    const { body, expand: paths } = endpoint.answer(books, decodeForm(query), names)
    return { status: 200, body: expand(books, body, paths) }
  }

  type Turn = { requestId: string; headers: Record<string, string>; fault?: RequestFault }

  async function change(
    endpoint: Changing,
    request: ApiRequest,
    { requestId, headers, fault }: Turn,
  ): Promise<Outcome> {
    const { idempotencyKey: key, path } = request
    const raw = decodeForm(request.body)
    if (!key) return execute(endpoint, request, { requestId, fault })
    if (key.length > 255) throw keyTooLong()

    const parameters = canonical(raw)
    const now = books.clock.seconds()
    const stored = recall({ key, path, parameters, now }, { stored: books.answers.get(key), running })
    if (stored) {
      headers['idempotent-replayed'] = 'true'
      headers['original-request'] = stored.requestId
      return stored
    }
    running.add(key)
    try {
      return await execute(endpoint, request, { requestId, fault, key, parameters })
    } finally {
      running.delete(key)
    }
  }

  type Run = { requestId: string; fault?: RequestFault; key?: string; parameters?: string }

  async function execute(endpoint: Changing, request: ApiRequest, run: Run): Promise<Outcome> {
    const { fault, key, requestId } = run
    if (fault?.mode === 'slow') await pause(fault.delayMs)
    const { act, expand: paths } = endpoint.prepare(decodeForm(request.body), {
      now: books.clock.seconds(),
      version: request.version,
    })
    const cause = { id: requestId, idempotency_key: key ?? null }
    const broken = toOutcome(brokenProcessor())
    const stored = (outcome: Outcome): StoredAnswer | undefined =>
      key
        ? {
            key,
            requestId,
            path: request.path,
            parameters: run.parameters!,
            created: books.clock.seconds(),
            ...outcome,
          }
        : undefined
    const keepAlone = (outcome: Outcome) => {
      const answer = stored(outcome)
      if (answer) books.record({ answer })
      return outcome
    }

    if (fault?.mode === 'error_before') return fault.stored ? keepAlone(broken) : broken
    try {
      letTimePass(books)
      return books.commit(cause, (draft) => {
        const body = expand(draft, act(draft, request.names), paths)
        const outcome = fault?.mode === 'error_after' ? broken : { status: 200, body }
        const answer = stored(outcome)
        if (answer && (outcome !== broken || fault?.stored)) draft.keep(answer)
        return outcome
      })
    } catch (error) {
      return keepAlone(toOutcome(error))
    }
  }
}
