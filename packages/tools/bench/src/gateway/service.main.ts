import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A service for `compare`: every response is the same, and may be cached where the gateway asks for that. */
const body = Buffer.alloc(2_000, 'x')
const server = createServer((request, response) => {
  request.resume()
  const cacheMs = request.headers['x-internal-cache-ms'] ? { 'x-internal-cache-ms': '1000' } : {}
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-cache', etag: 'W/"1"', ...cacheMs }
  request.on('end', () => response.writeHead(200, { ...headers, 'content-length': body.length }).end(body))
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () =>
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`),
)
