import type { ErrorResponse } from '@nifty/api/errors'
import { endSession, getSession } from './session.ts'

/** An answer that was not what was asked for. `status` is 0 when there was no answer at all. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly errors: { msg: string; path: string }[]
  readonly details: Record<string, unknown>
  /** False when `message` is our own wording, because the server gave none. */
  readonly fromServer: boolean

  constructor(status: number, problem: Partial<ErrorResponse>) {
    super(problem.message || 'Something went wrong. Please try again.')
    this.name = 'ApiError'
    this.status = status
    this.code = problem.code ?? 'no_answer'
    this.errors = problem.errors ?? []
    this.details = problem.details ?? {}
    this.fromServer = Boolean(problem.message)
  }
}

type Options = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Sent as JSON, or as it is when it is form data. */
  body?: unknown
  /** Sends the bearer token. A 401 then means that the session is over. */
  withToken?: boolean
  /** Milliseconds until we stop waiting. */
  timeoutMs?: number
  /** Makes it safe to send the same thing twice, where the store offers that. */
  idempotencyKey?: string
}

/** Asks the store. Rejects with an ApiError and nothing else, within `timeoutMs` ms. */
export async function request<Data>(path: string, options: Options = {}): Promise<Data> {
  const { method = 'GET', body, withToken = false, timeoutMs = 20_000, idempotencyKey } = options
  const { token } = getSession()
  const headers = new Headers({ accept: 'application/json' })
  if (withToken && token) headers.set('authorization', `Bearer ${token}`)
  if (body !== undefined && !(body instanceof FormData)) headers.set('content-type', 'application/json')
  if (idempotencyKey) headers.set('idempotency-key', idempotencyKey)

  let status = 0
  let answer: unknown
  try {
    const response = await fetch(path, {
      method,
      headers,
      body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    status = response.status
    answer = await response.json()
    if (response.ok) return answer as Data
  } catch {
    // No answer, or none that can be read.
  }
  if (status === 401 && withToken && getSession().token === token) endSession()
  throw new ApiError(status, isRecord(answer) ? answer : {})
}

/** The fetcher of everything that only its owner may read. */
export const requestWithToken = <Data>(path: string) => request<Data>(path, { withToken: true })

export type Outcome<Data> = { ok: true; data: Data } | { ok: false; error: ApiError }

/** For what a person does by hand: never rejects, so no click can end as an unhandled promise. */
export async function send<Data>(path: string, options: Options = {}): Promise<Outcome<Data>> {
  try {
    return { ok: true, data: await request<Data>(path, { method: 'POST', ...options }) }
  } catch (error) {
    return { ok: false, error: error instanceof ApiError ? error : new ApiError(0, {}) }
  }
}

/** `/path?a=1`, leaving out what is empty, so that one question always has one key. */
export function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  if (entries.length === 0) return path
  return `${path}?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))}`
}

const isRecord = (value: unknown): value is Partial<ErrorResponse> => typeof value === 'object' && value !== null

/** The first message for each field of a form, by the field's name. */
export function fieldErrors(error: ApiError | undefined): Record<string, string | undefined> {
  const messages: Record<string, string> = {}
  for (const { path, msg } of error?.errors ?? []) messages[path] ??= msg
  return messages
}
