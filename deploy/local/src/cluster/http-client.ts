import type { Door } from '@nifty/demo-data/api-client'

/** Asks a service over HTTP what an app in this process would be asked directly. */
export const doorAt = (origin: string): Door => ({
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
