import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, onTestFinished, test } from 'vitest'
import { startTestGateway, stub } from '../testing/gateway.ts'

/** A plain HTTP server, without the behaviour of our services. */
async function serve(handler: RequestListener) {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('a service that is down gives a 503 that does not contain its address', async () => {
  const { url } = await startTestGateway({ catalog: { url: 'http://127.0.0.1:1' } })
  const response = await fetch(`${url}/api/nfts/market`)
  expect(response.status).toBe(503)
  const text = await response.text()
  expect(JSON.parse(text)).toMatchObject({ success: false, code: 'service_unavailable' })
  expect(text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED/)
})

test('a GET whose connection broke is retried, a POST is not', async () => {
  const seen: string[] = []
  const upstream = await serve((request, response) => {
    const first = !seen.includes(`${request.method} ${request.url}`)
    seen.push(`${request.method} ${request.url}`)
    if (first) request.socket.destroy()
    else response.end('{}')
  })
  const { url } = await startTestGateway({ catalog: upstream, payments: upstream })
  expect((await fetch(`${url}/api/nfts/market`)).status).toBe(200)
  expect((await fetch(`${url}/api/nfts/test`, { method: 'POST' })).status).toBe(503)
  expect(seen).toEqual(['GET /api/nfts/market', 'GET /api/nfts/market', 'POST /api/nfts/test'])
})

test('a 503 of a service is not retried', async () => {
  let requests = 0
  const catalog = await serve((_request, response) => {
    requests++
    response.writeHead(503).end('{}')
  })
  const { url } = await startTestGateway({ catalog })
  expect((await fetch(`${url}/api/nfts/market`)).status).toBe(503)
  expect(requests).toBe(1)
})

test('hop-by-hop headers of a service are not forwarded', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/by-id', async (_request, reply) =>
    reply.headers({ connection: 'close', 'keep-alive': 'timeout=1' }).send({}),
  )
  onTestFinished(() => catalog.close())
  const { url } = await startTestGateway({ catalog: { url: await catalog.listen({ host: '127.0.0.1', port: 0 }) } })
  const { status, headers } = await fetch(`${url}/api/nfts/by-id`, { headers: { authorization: 'Bearer x' } })
  expect([status, headers.get('connection')]).toEqual([200, 'keep-alive'])
  expect(headers.get('keep-alive')).not.toBe('timeout=1')
})
