import type { HttpClient } from '../store/store.ts'

/** Sends over HTTP what `inject` of a Fastify app handles in the same process. */
export const httpClient = (origin: string): HttpClient => ({
  inject: async ({ method, url, headers, payload }) => {
    const json = payload !== undefined && !(payload instanceof Uint8Array)
    const response = await fetch(origin + url, {
      method,
      headers: json ? { ...headers, 'content-type': 'application/json' } : headers,
      body: json ? JSON.stringify(payload) : (payload as Uint8Array<ArrayBuffer> | undefined),
    })
    const body = await response.text()
    return { statusCode: response.status, body, json: () => JSON.parse(body) }
  },
})
