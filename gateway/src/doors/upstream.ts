import type { App } from '@nifty/service-kit/http/app'
import { traceHeaders } from '@nifty/service-kit/traces/trace'

/** A service in this process, or one that listens elsewhere. */
export type Upstream = { app: App } | { url: string }

/** What an upstream answers to a GET of the gateway itself; undefined when it does not answer well. */
export async function ask<Answer>(upstream: Upstream, path: string): Promise<Answer | undefined> {
  try {
    if ('app' in upstream) {
      const { statusCode, payload } = await upstream.app.inject({ method: 'GET', url: path, headers: traceHeaders() })
      return statusCode === 200 ? JSON.parse(payload) : undefined
    }
    const response = await fetch(`${upstream.url}${path}`, {
      headers: traceHeaders(),
      signal: AbortSignal.timeout(3_000),
    })
    return response.ok ? ((await response.json()) as Answer) : undefined
  } catch {
    return undefined
  }
}
