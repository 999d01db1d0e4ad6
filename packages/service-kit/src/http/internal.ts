import { createHash, timingSafeEqual } from 'node:crypto'
import { accessDenied, ExpectedError, unavailable } from '../errors.ts'
import { currentContext, type Log } from '../logs.ts'
import { METRICS_PATH } from '../metrics/metrics.ts'
import { inSpan, traceHeaders } from '../traces/trace.ts'
import { createApp } from './app.ts'

const SECRET_HEADER = 'x-internal-secret'
const ANSWER_WITHIN_MS = 5_000

const digest = (text: string) => createHash('sha256').update(text).digest()

/**
 * An app for neighbours only: on a port of its own, and nothing without the shared secret. Only the figures are for
 * everybody who reaches the port: Prometheus is no neighbour, and they name nobody.
 */
export function createInternalApp({ log, name, secret }: { log: Log; name: string; secret: string }) {
  const app = createApp({ log, name: `${name} internal`, service: name })
  const expected = digest(secret)
  app.addHook('onRequest', async (request) => {
    if (request.routeOptions.url === METRICS_PATH) return
    if (!timingSafeEqual(digest(String(request.headers[SECRET_HEADER] ?? '')), expected)) throw accessDenied()
  })
  return app
}

/** Asks a neighbour. */
export type ServiceClient = <Answer>(method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>

/**
 * A neighbour's refusal arrives as the same ExpectedError; one that does not answer is a 503, because the caller of
 * this service can try again and nothing was decided.
 */
export function createServiceClient({
  url,
  secret,
  name,
  answerWithinMs = ANSWER_WITHIN_MS,
}: {
  url: string
  secret: string
  name: string
  answerWithinMs?: number
}): ServiceClient {
  async function ask<Answer>(method: 'GET' | 'POST', path: string, body?: unknown) {
    let response: Response
    try {
      response = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(answerWithinMs),
        headers: {
          [SECRET_HEADER]: secret,
          'x-request-id': currentContext()?.correlationId ?? crypto.randomUUID(),
          ...traceHeaders(),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
    } catch {
      throw unavailable('service_unavailable', `The ${name} service does not answer, please try again.`)
    }
    const answer: unknown = await response.json().catch(() => undefined)
    if (response.ok) return answer as Answer
    throw refusal(response.status, answer, name)
  }
  return (method, path, body) =>
    inSpan({ name: `ask ${name}`, kind: 'client', facts: { 'http.request.method': method, 'url.path': path } }, () =>
      ask(method, path, body),
    )
}

const kinds = {
  400: 'invalid',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  429: 'too_many',
  503: 'unavailable',
} as const

function refusal(status: number, answer: unknown, name: string) {
  const kind = kinds[status as keyof typeof kinds]
  const { code, message, details, errors } = (answer ?? {}) as Record<string, never>
  if (!kind || typeof code !== 'string')
    return unavailable('service_unavailable', `The ${name} service does not answer, please try again.`)
  return new ExpectedError(kind, code, String(message), { details, errors })
}
