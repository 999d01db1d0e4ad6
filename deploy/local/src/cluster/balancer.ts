import { connect, createServer, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'

/**
 * One address for several processes, as a Kubernetes Service is for pods: round robin per connection, skipping targets
 * that refuse it. `targets` returns the ports that are ready now. With `encrypts` the processes serve HTTPS and clients
 * get HTTP, as from an ingress that checks the certificate of its backend.
 */
export async function startBalancer({
  host = '127.0.0.1',
  port = 0,
  targets,
  encrypts = false,
}: {
  host?: string
  port?: number
  targets: () => number[]
  encrypts?: boolean
}) {
  const open = new Set<Socket>()
  let turn = 0

  function accept(client: Socket) {
    open.add(client)
    client.once('close', () => open.delete(client))
    // After an error `close` follows, which ends the other side as well.
    client.on('error', () => {})
    const ports = targets()
    turn++
    tryNext(
      client,
      ports.map((_, index) => ports[(turn + index) % ports.length]!),
      encrypts,
    )
  }

  const servers = (host === 'localhost' ? ['127.0.0.1', '::1'] : [host]).map((address) => ({
    address,
    server: createServer({ noDelay: true, pauseOnConnect: true }, accept),
  }))
  let chosen = port
  for (const { address, server } of servers)
    await new Promise<void>((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) =>
        // On a machine without IPv6 there is no ::1.
        address === '::1' && error.code !== 'EADDRINUSE' ? resolve() : reject(error),
      )
      server.listen(chosen, address, () => {
        chosen = (server.address() as { port: number }).port
        resolve()
      })
    })

  return {
    url: `http://127.0.0.1:${chosen}`,
    stop: async () => {
      for (const { server } of servers) server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

function tryNext(client: Socket, [port, ...others]: number[], encrypts: boolean) {
  if (port === undefined || client.destroyed) return client.destroy()
  const address = { port, host: '127.0.0.1', noDelay: true }
  const server = encrypts ? connectTls(address) : connect(address)
  const refused = () => tryNext(client, others, encrypts)
  server.once('error', refused)
  server.once(encrypts ? 'secureConnect' : 'connect', () => {
    server.off('error', refused)
    server.on('error', () => {})
    // Data written to one side before it closed is still sent to the other.
    server.once('close', () => client.destroySoon())
    client.once('close', () => server.destroySoon())
    server.pipe(client)
    client.pipe(server)
    client.resume()
    if (client.destroyed) server.destroy()
  })
}
