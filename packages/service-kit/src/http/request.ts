import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { http, https } from './node-http.ts'

type Sent = { method: string; headers: Record<string, string>; body?: string; timeoutMs: number }

/**
 * Sends a request by Node's own client and reads the whole response; redirects are not followed. Throws without a whole
 * response within `timeoutMs`. In place of `fetch`, whose parser is WebAssembly: about 10 MB of a process stay resident
 * after it is compiled.
 */
export async function sendRequest(url: string, { method, headers, body, timeoutMs }: Sent) {
  const { request } = url.startsWith('https:') ? https : http
  const length = body === undefined ? undefined : { 'content-length': Buffer.byteLength(body) }
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const signal = AbortSignal.timeout(timeoutMs)
  request(url, { method, headers: { ...headers, ...length }, signal }, resolve)
    .on('error', reject)
    .end(body)
  const response = await promise
  const status = response.statusCode!
  return { status, isOk: status >= 200 && status < 300, body: await buffer(response) }
}
