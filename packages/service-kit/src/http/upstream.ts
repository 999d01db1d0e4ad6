import { traceHeaders } from '../base/trace.ts'
import type { App } from './app.ts'
import { checkUrl } from './input.ts'
import { sendRequest } from './request.ts'

const TIMEOUT_MS = 3_000

/** A service in this process, or one with an address. */
export type Upstream = { app: App } | { url: string }

/**
 * The JSON body of a GET that the gateway itself sends; undefined on any error, timeout or status but 2xx, and for a
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
  try {
    checkUrl(path)
    if ('app' in upstream) {
      const response = await upstream.app.inject({ method: 'GET', url: path, headers: traceHeaders() })
      return response.statusCode === 200 ? response.rawPayload : undefined
    }
    const sent = { method: 'GET', headers: traceHeaders(), timeoutMs: TIMEOUT_MS }
    const { isOk, body } = await sendRequest(`${upstream.url}${path}`, sent)
    return isOk ? body : undefined
  } catch {
    return undefined
  }
}
