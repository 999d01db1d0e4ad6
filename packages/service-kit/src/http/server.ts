import type { RequestListener, Server, ServerOptions } from 'node:http'
import type { ServerOptions as TlsServerOptions } from 'node:https'
import type { Socket } from 'node:net'
import { http, https } from './node-http.ts'

/** What a client may leave unread. */
export type ResponseLimits = {
  /** A connection whose client takes no byte of what waits for it for so long is closed, in milliseconds. */
  stalledMs: number
  /** Requests of one connection without a complete response. One more closes it: Node parses all that has arrived. */
  unanswered: number
}

export const responseLimits: ResponseLimits = { stalledMs: 30_000, unanswered: 8 }

/** Why a connection was closed. */
export type ClosedFor = 'stalled' | 'too_many_unanswered'

/** The options of Fastify that its own servers are created with. */
type FastifyServerOptions = {
  http?: ServerOptions | null
  https?: TlsServerOptions | null
  keepAliveTimeout?: number
  requestTimeout?: number
}

type Options = { limits?: ResponseLimits; onClosed?: (reason: ClosedFor) => void; prepare?: (server: Server) => void }

/**
 * Fastify's option `serverFactory`: servers whose clients have to read their responses. Fastify creates one for each
 * address of `localhost`; `prepare` gets each of them.
 */
export const serverFactory =
  ({ limits = responseLimits, onClosed = () => {}, prepare = () => {} }: Options = {}) =>
  (handler: RequestListener, options: FastifyServerOptions): Server => {
    const limited = limitUnanswered(handler, {
      limit: limits.unanswered,
      onClosed,
      isClosing: () => !server.listening,
    })
    const server: Server = options.https
      ? https.createServer(options.https, limited)
      : http.createServer(options.http ?? {}, limited)
    server.keepAliveTimeout = options.keepAliveTimeout!
    server.requestTimeout = options.requestTimeout!
    closeStalled(server, { event: options.https ? 'secureConnection' : 'connection', ms: limits.stalledMs, onClosed })
    prepare(server)
    return server
  }

/**
 * A handler of requests that closes connections with too many of them, and those of a closing server with their last
 * response: Node closes only what is idle when the closing begins.
 */
function limitUnanswered(
  handler: RequestListener,
  { limit, onClosed, isClosing }: { limit: number; onClosed: (reason: ClosedFor) => void; isClosing: () => boolean },
): RequestListener {
  const connections = new WeakMap<Socket, { unanswered: number }>()
  return (request, response) => {
    const { socket } = request
    // Requests that arrived together with the one that closed the connection.
    if (socket.destroyed) return
    let connection = connections.get(socket)
    if (!connection) {
      connection = { unanswered: 0 }
      connections.set(socket, connection)
    }
    if (connection.unanswered === limit) {
      onClosed('too_many_unanswered')
      socket.destroy()
      return
    }
    connection.unanswered++
    response.on('close', () => {
      connection.unanswered--
      if (connection.unanswered === 0 && isClosing()) socket.destroySoon()
    })
    handler(request, response)
  }
}

/** Bytes that wait for a client. */
type Backlog = {
  /** Bytes that the operating system has taken as whole chunks. */
  sent: number
  /** What it has not taken yet of the present chunk. */
  left: number
  since: number
}

/**
 * Closes connections on which nothing of what waits is taken any more. Node's own timeout of a socket does not serve:
 * each byte that the client sends prolongs it.
 */
function closeStalled(
  server: Server,
  { event, ms, onClosed }: { event: string; ms: number; onClosed: (reason: ClosedFor) => void },
) {
  const backlogs = new Map<Socket, Backlog | undefined>()
  server.on(event, (socket: Socket) => {
    backlogs.set(socket, undefined)
    socket.once('close', () => backlogs.delete(socket))
  })
  const check = () => {
    const now = performance.now()
    for (const [socket, before] of backlogs) {
      if (socket.writableLength === 0) {
        if (before) backlogs.set(socket, undefined)
        continue
      }
      const sent = socket.bytesWritten - socket.writableLength
      const left = writeQueueSize(socket)
      if (before?.sent !== sent || before.left !== left) backlogs.set(socket, { sent, left, since: now })
      else if (now - before.since >= ms) {
        onClosed('stalled')
        socket.destroy()
      }
    }
  }
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => {
    timer ??= setInterval(check, ms / 8).unref()
  })
  server.on('close', () => clearInterval(timer))
}

/**
 * Not public, but Node's own timeout of a socket compares it, too. Without it a slow client of one large chunk makes no
 * progress.
 */
const writeQueueSize = (socket: Socket) =>
  (socket as { _handle?: { writeQueueSize?: number } })._handle?.writeQueueSize ?? 0
