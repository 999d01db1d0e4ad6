import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export type RawResponse = { status: number; headers: Headers; body: string }

/**
 * A connection on which a test writes bytes that no HTTP client sends; `from` is the client's loopback address. With
 * `reads` false nothing is read.
 */
export async function openConnection(url: string, { from = '127.0.0.1', reads = true } = {}) {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), localAddress: from })
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  let received = Buffer.alloc(0)
  if (reads)
    socket.on('data', (data) => {
      received = Buffer.concat([received, data])
    })
  await once(socket, 'connect')
  const closed = once(socket, 'close')
  return {
    write: (text: string) => socket.write(text, 'latin1'),
    closed,
    end: () => void socket.destroy(),
    isClosed: () => socket.closed,
    /** The first response, once it is complete or the connection is closed. */
    response: () => responseOf(socket, () => received),
  }
}

export type Connection = Awaited<ReturnType<typeof openConnection>>

/** Sends bytes on a connection of its own and returns the response. */
export async function sendRaw(url: string, text: string, options?: { from?: string }): Promise<RawResponse> {
  const connection = await openConnection(url, options)
  connection.write(text)
  return connection.response()
}

/** A request with a target as it stands, which no client would send. */
export const requestText = (method: string, target: string, headers: string[] = [], body = '') =>
  [`${method} ${target} HTTP/1.1`, 'Host: store.test', ...headers, `Content-Length: ${body.length}`, '', body].join(
    '\r\n',
  )

async function responseOf(socket: Socket, received: () => Buffer): Promise<RawResponse> {
  for (;;) {
    const response = parse(received().toString('latin1'), socket.closed)
    if (response) return response
    if (socket.closed) throw new Error(`closed without a response: ${received()}`)
    await Promise.race([once(socket, 'data'), once(socket, 'close')])
  }
}

function parse(text: string, isEnd: boolean): RawResponse | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const [statusLine, ...lines] = text.slice(0, end).split('\r\n')
  const headers = new Headers(lines.map((line) => line.split(/: ?(.*)/s, 2) as [string, string]))
  const status = Number(statusLine!.split(' ')[1])
  const rest = text.slice(end + 4)
  if (status === 100) return parse(rest, isEnd)
  const length = headers.get('content-length')
  if (length !== null ? rest.length >= Number(length) : isEnd || rest.endsWith('0\r\n\r\n'))
    return { status, headers, body: length !== null ? rest.slice(0, Number(length)) : unchunked(rest, headers) }
  return undefined
}

function unchunked(text: string, headers: Headers) {
  if (!headers.get('transfer-encoding')?.includes('chunked')) return text
  let body = ''
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n', at)
    const size = Number.parseInt(text.slice(at, end), 16)
    if (!size) return body
    body += text.slice(end + 2, end + 2 + size)
    at = end + 2 + size + 2
  }
}
