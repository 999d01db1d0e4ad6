import { Agent, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Caller } from './callers.ts'

/** One request as it goes over the wire. `path` is raw: nothing normalises it. */
export type FuzzRequest = {
  caller: Caller
  method: string
  path: string
  headers: Record<string, string>
  body?: Buffer
}

export type Answer = { status: number; headers: Record<string, string | undefined>; body: Buffer }

const NO_ANSWER_MS = 60_000
const agent = new Agent({ keepAlive: true })

/** Rejects when the connection ends without a response, or after 60 s. */
export function send(origin: string, { method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, headers, agent, timeout: NO_ANSWER_MS }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Answer['headers'],
          body: decoded(Buffer.concat(chunks), response.headers['content-encoding']),
        }),
      )
    })
    sent.on('error', reject)
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${NO_ANSWER_MS} ms`)))
    if (body) sent.setHeader('content-length', body.length)
    sent.end(body)
  })
}

function decoded(body: Buffer, encoding: string | undefined) {
  if (body.length === 0) return body
  return encoding === 'br' ? brotliDecompressSync(body) : encoding === 'gzip' ? gunzipSync(body) : body
}

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** The same request as one line for a shell. A body that is not plain text is piped through base64. */
export function asCurl(origin: string, { method, path, headers, body }: FuzzRequest): string {
  const isPlain = body && body.length < 2_000 && /^[\x20-\x7e]*$/.test(body.toString('latin1'))
  return [
    ...(body && !isPlain ? [`echo ${body.toString('base64')} | base64 -d |`] : []),
    `curl -i --path-as-is -X ${method} ${quoted(origin + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body ? [`--data-binary ${isPlain ? quoted(body.toString('latin1')) : '@-'}`] : []),
  ].join(' ')
}
