import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

const END_OF_MAIL = Buffer.from('\r\n.\r\n')

/**
 * SMTP server on the loopback interface that accepts each mail and keeps none (RFC 5321, without pipelining). To send a mail to it
 * costs as much as to send one to the mail server.
 */
export async function startDiscardServer() {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    respond(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** Answers one command a chunk, and a mail when its last bytes have come. */
function respond(socket: Socket) {
  let isInMail = false
  let lastBytes = Buffer.alloc(0)
  socket.write('220 ready\r\n')
  socket.on('data', (chunk) => {
    if (isInMail) {
      lastBytes = Buffer.concat([lastBytes, chunk.subarray(-END_OF_MAIL.length)]).subarray(-END_OF_MAIL.length)
      if (!lastBytes.equals(END_OF_MAIL)) return
    }
    isInMail = !isInMail && chunk.subarray(0, 4).toString('latin1') === 'DATA'
    socket.write(isInMail ? '354 send the mail\r\n' : '250 OK\r\n')
  })
}
