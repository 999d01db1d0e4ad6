import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { perService } from '@nifty/api/services'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../testing/gateway.ts'

/** One that is cached, and one that is passed on as it arrives. */
const paths = ['/api/nfts/market?page=1&limit=2', '/api/orders']

/** A gateway in front of a service that handles requests in this way, and the number of connections to the service. */
async function gatewayOf(handle: (request: IncomingMessage, response: ServerResponse) => void) {
  const service = createServer(handle)
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    service.closeAllConnections()
    service.close()
  })
  const { port } = service.address() as AddressInfo
  const upstreams = perService(() => ({ url: `http://127.0.0.1:${port}` }))
  const { url } = await startTestGateway(upstreams, { upstreamTimeoutMs: 300 })
  const connections = () => new Promise<number>((resolve) => service.getConnections((_, count) => resolve(count)))
  return { url, connections }
}

test('a service that does not respond in time gives 503, and its connection is closed', async () => {
  const { url, connections } = await gatewayOf(() => {})
  for (const path of paths) {
    const response = await fetch(url + path)
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([503, 'service_unavailable'])
  }
  await expect.poll(connections, { timeout: 30_000 }).toBe(0)
})

test('a body that stops arriving gives 503 where it is cached, and else ends the response', async () => {
  const { url, connections } = await gatewayOf((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
    response.write('{"half":')
  })
  const [cached, passedOn] = paths.map((path) => fetch(url + path))
  expect((await cached!).status).toBe(503)
  await expect(passedOn!.then((response) => response.text())).rejects.toThrow()
  await expect.poll(connections, { timeout: 30_000 }).toBe(0)
})
