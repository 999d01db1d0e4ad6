import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'

/** Listens on a port of the loopback interface and passes each connection on to the port that `target` returns. */
export async function passConnections(port: number, target: () => Promise<number>) {
  const sockets = new Set<Socket>()
  const track = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, async (client) => {
    track(client).on('error', () => {})
    try {
      const port = await target()
      // By a stop meanwhile: the server behind may have stopped, too.
      if (client.destroyed) return
      const upstream = track(connect({ port, host: '127.0.0.1', allowHalfOpen: true }))
      pipeline(client, upstream, client, () => {})
    } catch (error) {
      process.stderr.write(`port ${port}: the server behind it did not start: ${error}\n`)
      client.destroy()
    }
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    stop: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}
