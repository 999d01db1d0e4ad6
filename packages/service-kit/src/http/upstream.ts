import { type ExpectedError, unavailable } from '../base/errors.ts'
import { traceHeaders } from '../base/trace.ts'
import { createStaleReads } from '../database/stale-reads.ts'
import type { App } from './app.ts'
import { checkUrl } from './input.ts'
import { sendRequest } from './request.ts'

const TIMEOUT_MS = 3_000

/** A service in this process, or one with an address. */
export type Upstream = { app: App } | { url: string }

/**
 * The JSON body of a GET that the gateway itself sends; undefined on any error, timeout or status but 200, and for a
 * path that a URL parser would change.
 */
export async function getJson<Body>(upstream: Upstream, path: string): Promise<Body | undefined> {
  const body = await getBytes(upstream, path)
  try {
    return body && JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** The body as it is; undefined where `getJson` is. */
export async function getBytes(upstream: Upstream, path: string): Promise<Buffer | undefined> {
  const response = await get(upstream, path).catch(() => undefined)
  return response?.status === 200 ? response.body : undefined
}

/** As `getJson`, but throws a 503 `service_unavailable` without a response, and for one with status 500 and above. */
export async function findJson<Body>(upstream: Upstream, path: string): Promise<Body | undefined> {
  const response = await get(upstream, path).catch((error) => ({ status: (error as ExpectedError).statusCode ?? 503 }))
  if (response.status >= 500) throw unavailable('service_unavailable', 'Please try again in a moment.')
  return 'body' in response && response.status === 200 ? JSON.parse(response.body.toString()) : undefined
}

const KEPT = 200
const FOUND_WITHIN_MS = 2_000

/** `findJson`, with what it found within the last minute where it fails or takes longer than two seconds. */
export function findKeptJson(upstream: Upstream): Find {
  const reads = createStaleReads<unknown>({ max: KEPT, withinMs: FOUND_WITHIN_MS })
  return <Body>(path: string) => reads.get(path, () => findJson(upstream, path)) as Promise<Body | undefined>
}

export type Find = <Body>(path: string) => Promise<Body | undefined>

async function get(upstream: Upstream, path: string): Promise<{ status: number; body: Buffer }> {
  checkUrl(path)
  const headers = traceHeaders()
  if (!('app' in upstream))
    return sendRequest(`${upstream.url}${path}`, { method: 'GET', headers, timeoutMs: TIMEOUT_MS })
  const { statusCode, rawPayload } = await upstream.app.inject({ method: 'GET', url: path, headers })
  return { status: statusCode, body: rawPayload }
}
