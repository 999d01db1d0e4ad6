import type { App } from '@nifty/service-kit/http/app'
import { checkUrl } from '@nifty/service-kit/http/input'
import { traceHeaders } from '@nifty/service-kit/traces/trace'

const TIMEOUT_MS = 3_000

/** A service in this process, or one with an address. */
export type Upstream = { app: App } | { url: string }

/**
 * The JSON body of a GET that the gateway itself sends; undefined on any error, timeout or status but 2xx, and for a path
 * that a URL parser would change.
 */
export async function getJson<Body>(upstream: Upstream, path: string): Promise<Body | undefined> {
  try {
    checkUrl(path)
    if (path.startsWith('//')) return undefined
    if ('app' in upstream) {
      const { statusCode, payload } = await upstream.app.inject({ method: 'GET', url: path, headers: traceHeaders() })
      return statusCode === 200 ? JSON.parse(payload) : undefined
    }
    const response = await fetch(`${upstream.url}${path}`, {
      headers: traceHeaders(),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return response.ok ? ((await response.json()) as Body) : undefined
  } catch {
    return undefined
  }
}
