import { Duplex } from 'node:stream'
import { serviceNames } from '@nifty/api/services'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { GatewayOptions } from '../gateway.ts'
import { remoteEcho, startTestGateway } from '../testing/gateway.ts'
import { type Connection, openConnection, type RawResponse, requestText, sendRaw } from '../testing/raw-http.ts'

const HOSTILE = '127.0.0.2'

const remotes = async () =>
  Object.fromEntries(await Promise.all(serviceNames.map(async (name) => [name, await remoteEcho(name)])))
const modes = {
  'in one process': async (options: Partial<GatewayOptions>) => startTestGateway({}, options),
  'over the network': async (options: Partial<GatewayOptions>) => startTestGateway(await remotes(), options),
}

/** The head of a request whose body follows slowly or never. */
const slowBody = (method: string, target: string, framing = 'Content-Length: 1000\r\n') =>
  [`${method} ${target} HTTP/1.1`, 'Host: store.test', 'Content-Type: application/json', `${framing}\r\n{`].join('\r\n')
const chunked = 'Transfer-Encoding: chunked\r\n\r\n3e8'

/** Opens connections from the hostile address that each begin a request and leave it unfinished. */
async function openSlow(url: string, count: number, text: string) {
  const connections: Connection[] = []
  for (let each = 0; each < count; each++) {
    const connection = await openConnection(url, { from: HOSTILE })
    connection.write(text)
    connections.push(connection)
  }
  return connections
}

const post = (url: string) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"a":1}' })

function expectError(response: RawResponse, status: number) {
  expect(response.status).toBe(status)
  expect(JSON.parse(response.body)).toMatchObject({ success: false, requestId: response.headers.get('x-request-id') })
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
}

describe.each(Object.entries(modes))('%s', (_mode, start) => {
  test.each([70, 300])('with %i slow bodies without a token the market and log-in answer', async (count) => {
    // The factor lifts the limit of connections.
    const { url } = await start({ rateLimitFactor: 1_000 })

    const market = await openSlow(url, count, slowBody('PUT', '/api/nfts/a/b/set-price'))
    const login = await openSlow(url, count, slowBody('POST', '/api/auth/login', chunked))

    expect((await fetch(`${url}/api/nfts/market`)).status).toBe(200)
    expect((await post(`${url}/api/auth/login`)).status).toBe(200)
    expect((await fetch(`${url}/terms`)).status).toBe(200)
    expect([...market, ...login].filter((connection) => connection.isClosed()).length).toBe(0)
  })

  // Times out before Node's own check of connections, which is every 30 s by default, could end a request.
  test('a request that does not arrive in time is a 408, and an upload has longer', { timeout: 20_000 }, async () => {
    const { url } = await start({ timeouts: { headersMs: 200, requestMs: 600, uploadMs: 600_000 } })
    const upload = await openConnection(url)
    upload.write(slowBody('PUT', '/api/users/7/upload-avatar', 'Content-Length: 2\r\n'))
    const slow = [
      ...(await openSlow(url, 1, 'GET /api/nfts/market HTTP/1.1\r\nHost: store.test\r\nX-Slow:')),
      ...(await openSlow(url, 1, slowBody('PUT', '/api/nfts/a/b/set-price'))),
      ...(await openSlow(url, 1, slowBody('POST', '/api/auth/login', chunked))),
      ...(await openSlow(url, 1, slowBody('POST', '/api/payments/webhook'))),
    ]

    for (const response of await Promise.all(slow.map((connection) => connection.response())))
      expectError(response, 408)
    expect(upload.isClosed()).toBe(false)
    upload.write('}')
    expect((await upload.response()).status).toBe(200)
  })

  test('a request that is refused before its body has arrived has no longer time for it', async () => {
    const { url } = await start({ timeouts: { headersMs: 100, requestMs: 600, uploadMs: 600_000 } })
    const invalid = await openConnection(url)
    invalid.write(slowBody('POST', '/api/orders/../orders'))
    expectError(await invalid.response(), 400)
    const unknown = await openConnection(url)
    unknown.write(slowBody('POST', '/nowhere'))
    expectError(await unknown.response(), 404)
    await Promise.all([invalid.closed, unknown.closed])
  })

  test('a request that is refused before routing has the time of an upload for its body', async () => {
    const { url } = await start({ timeouts: { headersMs: 100, requestMs: 200, uploadMs: 400 } })
    const refused = await openConnection(url)
    refused.write(slowBody('POST', '/api/nfts/%'))
    expectError(await refused.response(), 400)
    await refused.closed
  })

  test('an upload that does not arrive in its longer time is a 408', async () => {
    const { url } = await start({ timeouts: { headersMs: 100, requestMs: 200, uploadMs: 400 } })
    const upload = await openConnection(url)
    upload.write(slowBody('PUT', '/api/users/7/upload-avatar'))
    expectError(await upload.response(), 408)
  })

  test('bytes that are no request of HTTP get an error of the usual shape with the security headers', async () => {
    const { url } = await start({})
    const invalid = [
      '\x00\x01 nonsense\r\n\r\n',
      'GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n',
      'FOO / HTTP/1.1\r\nHost: a\r\n\r\n',
      'GET / HTTP/1.1\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      'CONNECT store.test:443 HTTP/1.1\r\nHost: a\r\n\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n',
      requestText('GET', '/api/nfts/%'),
      requestText('GET', '/item-detail/a/b/%ff'),
      requestText('GET', '/%c0%af'),
    ]
    for (const text of invalid) expectError(await sendRaw(url, text), 400)
    expectError(await sendRaw(url, requestText('GET', '/', [`X-Long: ${'x'.repeat(20_000)}`])), 431)
    const many = Array.from({ length: 101 }, (_, index) => `X-Header-${index}: 1`)
    expectError(await sendRaw(url, requestText('GET', '/', many)), 431)
    expect((await sendRaw(url, requestText('GET', '/terms', ['Expect: miracles']))).status).toBe(200)
  })
})

test('one client has at most 64 connections, and others get in', async () => {
  const { url, metrics } = await startTestGateway({})
  const connections = await openSlow(url, 64, 'GET / HTTP/1.1\r\n')
  const late = await openSlow(url, 3, 'GET / HTTP/1.1\r\n')
  await Promise.all(late.map((connection) => connection.closed))

  expect(connections.filter((connection) => connection.isClosed()).length).toBe(0)
  expect((await fetch(`${url}/terms`)).status).toBe(200)
  expect(await metrics.text()).toContain('nifty_gateway_connections_refused_total{reason="too_many"} 3')

  // A closed connection makes room for the next.
  connections[0]!.write('Host: store.test\r\nConnection: close\r\n\r\n')
  expect((await connections[0]!.response()).status).toBe(200)
  await connections[0]!.closed
  const next = async () =>
    (await sendRaw(url, requestText('GET', '/terms'), { from: HOSTILE }).catch(() => undefined))?.status
  await expect.poll(next).toBe(200)
})

test('connections from one /64 of IPv6 are those of one client, and a /48 has ten times as many', async () => {
  const { app } = await startTestGateway({})
  const connect = (remoteAddress: string) => {
    const socket = Object.assign(new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() }), {
      remoteAddress,
    })
    onTestFinished(() => void socket.destroy())
    app.server.emit('connection', socket)
    return socket
  }
  for (let host = 1; host <= 64; host++) expect(connect(`2001:db8:1:2::${host}`).destroyed).toBe(false)
  expect(connect('2001:db8:1:2:ffff::1').destroyed).toBe(true)
  expect(connect('2001:db8:1:3::1').destroyed).toBe(false)

  // All networks of a /48 together have ten times as many.
  const ofSite = Array.from({ length: 639 }, (_, index) => connect(`2001:db8:1:${(4 + index).toString(16)}::1`))
  expect(ofSite.filter(({ destroyed }) => destroyed)).toHaveLength(639 - (640 - 65))
  expect(connect('2001:db8:2::1').destroyed).toBe(false)
})

test('behind a trusted proxy connections are not counted: they are all its own', async () => {
  const { url } = await startTestGateway({}, { trustedProxies: [HOSTILE] })
  await openSlow(url, 70, 'GET / HTTP/1.1\r\n')
  expect((await sendRaw(url, requestText('GET', '/terms'), { from: HOSTILE })).status).toBe(200)
})
