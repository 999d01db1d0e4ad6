import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startTestGateway } from '../testing/gateway.ts'
import { openConnection, requestText, sendRaw } from '../testing/raw-http.ts'

/** A server that responds with what it received, as it stands. */
const upstream = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const { method, url, headers } = request as IncomingMessage
  response.setHeader('location', '/elsewhere')
  response.end(JSON.stringify({ method, url, headers, body }))
})
await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
const service = { url: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}` }
const all = { auth: service, catalog: service, payments: service, minting: service, notification: service }
const { url } = await startTestGateway(all, { rateLimitFactor: 1_000 })
afterAll(() => void upstream.close())

const JSON_TYPE = 'Content-Type: application/json'
const endpoint = '/api/orders'
const upload = '/api/users/7/upload-avatar'
const targets = [
  ['GET', endpoint],
  ['POST', '/api/nfts/test'],
  ['PUT', upload],
  ['GET', '/api/orders/no/such/endpoint'],
] as const

const received = (body: string) => JSON.parse(body) as { method: string; url: string; headers: any; body: string }

test.each([
  ['connection', 'Connection: close'],
  ['keep-alive', 'Keep-Alive: timeout=5'],
  ['proxy-connection', 'Proxy-Connection: close'],
  ['proxy-authorization', 'Proxy-Authorization: Basic YTpi'],
  ['te', 'TE: trailers'],
  ['trailer', 'Trailer: X-A'],
  ['upgrade', 'Upgrade: h2c'],
  ['http2-settings', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ['expect', 'Expect: 100-continue'],
])('the header %s of a client is not forwarded', async (name, line) => {
  for (const [method, target] of targets) {
    const response = await sendRaw(url, requestText(method, target, [line, JSON_TYPE], method === 'GET' ? '' : '{}'))
    expect(response.status, `${method} ${target}`).toBe(200)
    const { headers } = received(response.body)
    // The connection to the service has a header of its own.
    expect(headers[name], `${method} ${target}`).toBe(name === 'connection' ? 'keep-alive' : undefined)
    expect(headers['content-type']).toBe('application/json')
  }
})

test('headers that the Connection header of a client names are not forwarded', async () => {
  for (const [method, target] of targets) {
    const lines = ['Connection: close, X-Hop , x-other', 'X-Hop: 1', 'X-Other: 1', 'X-End: 1', JSON_TYPE]
    const response = await sendRaw(url, requestText(method, target, lines, method === 'GET' ? '' : '{}'))
    const { headers } = received(response.body)
    expect([headers['x-hop'], headers['x-other'], headers['x-end']], target).toEqual([undefined, undefined, '1'])
  }
})

test('the body of a GET is not forwarded, nor is its length', async () => {
  const response = await sendRaw(url, requestText('GET', endpoint, [JSON_TYPE], '{"a":1}'))
  const { headers, body } = received(response.body)
  expect([response.status, body, headers['content-length']]).toEqual([200, '', undefined])
})

test('a query that is not UTF-8 is refused before the service sees it', async () => {
  for (const [method, target] of targets) {
    const response = await sendRaw(url, requestText(method, `${target}?a=%c0%af`, [JSON_TYPE]))
    expect([response.status, JSON.parse(response.body).code]).toEqual([400, 'invalid_characters'])
  }
})

test('the framing of a body is the connection’s own: chunks arrive as one body', async () => {
  for (const [method, target] of targets.slice(1, 3)) {
    const connection = await openConnection(url)
    const head = [`${method} ${target} HTTP/1.1`, 'Host: store.test', JSON_TYPE, 'Transfer-Encoding: chunked', '', '']
    connection.write(`${head.join('\r\n')}3\r\n{"a\r\n4\r\n":1}\r\n0\r\nX-Trailer: 1\r\n\r\n`)
    const { body, headers } = received((await connection.response()).body)
    expect(body, target).toBe('{"a":1}')
    expect(headers['x-trailer']).toBeUndefined()
  }
})

test.each([
  '',
  '?',
  '?a',
  '?a=',
  '?=a',
  '?a=1&a=2',
  '?a=%20+b',
  '?a=b%2Fc/d',
  '?a=%2525',
  '?a=1&&b=2',
  '?a=b=c',
  '?a?b',
  '??',
  '?b=1&a=2',
  '?a[]=1&a[0]=2',
  "?q='(~)*!",
  '?a=%c3%A9',
  '?page=1;limit=2',
  '?a=1&',
  '?&a=1',
  '?A=%e2%82%ac&a=',
])('a query arrives byte for byte: %j', async (query) => {
  for (const [method, target] of targets) {
    const response = await sendRaw(url, requestText(method, target + query, [JSON_TYPE]))
    expect(received(response.body)).toMatchObject({ method, url: target + query })
  }
})

test.each([
  '/api/orders/a%2520b',
  '/api/orders/%41%3Ab',
  '/api/orders/a+b',
  '/api/orders/a%20b',
  '/api/orders/%c3%A9',
  '/api/orders/a%2Fb',
  '/api/orders/x;y=1',
  "/api/orders/!$&'()*,=:@~",
  '/api/orders/a//b',
  '/api/orders/a/',
  '/api/nfts/%40ada/0xAB/7',
  '/uploads/nfts/a.webp',
  '/api/orders/%3Fa',
  '/api/orders/%23a',
  '/api/orders/a.b',
])('a path arrives byte for byte: %s', async (path) => {
  for (const query of ['', '?', '?a=%20+'])
    expect(received((await sendRaw(url, requestText('GET', path + query, ['Authorization: Bearer x']))).body).url).toBe(
      path + query,
    )
})

test('a redirect of a service is passed on as it is', async () => {
  const response = await sendRaw(url, requestText('GET', endpoint))
  expect(response.headers.get('location')).toBe('/elsewhere')
})

test('a body of more than 256 KB that is no upload is refused before the service sees it, an upload is streamed', async () => {
  const large = 'x'.repeat(256 * 1024 + 1)
  let requests = 0
  const count = () => void requests++
  upstream.on('request', count)
  onTestFinished(() => void upstream.off('request', count))
  expect((await sendRaw(url, requestText('POST', '/api/payments/webhook', [JSON_TYPE], large))).status).toBe(413)
  expect(requests).toBe(0)
  const uploaded = await sendRaw(url, requestText('PUT', upload, ['Content-Type: multipart/form-data'], large))
  expect(received(uploaded.body).body).toHaveLength(large.length)
})
