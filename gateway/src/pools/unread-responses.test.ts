import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CACHE_MS_HEADER } from '@nifty/api/endpoint'
import { type ServiceName, serviceNames } from '@nifty/api/services'
import { type App, createApp } from '@nifty/service-kit/http/app'
import type { Upstream } from '@nifty/service-kit/http/upstream'
import { testLog } from '@nifty/service-kit/testing/log'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { GatewayOptions } from '../gateway.ts'
import { siteFolder, startTestGateway, stub } from '../testing/gateway.ts'
import { openConnection, requestText, sendRaw } from '../testing/raw-http.ts'

const MB = 1024 * 1024
const HOSTILE = '127.0.0.2'
const UNREAD = { stalledMs: 600_000, unanswered: 8 }

const file = '/uploads/covers/a.webp'
const list = '/api/nfts/user/ada'
const bearer = 'Authorization: Bearer x'

/** A service with large files and lists; each list is a buffer of its own, as catalog's are. */
function service(name: ServiceName, bytes: number) {
  const app = createApp({ log: testLog, name })
  const picture = Buffer.alloc(bytes)
  if (name === 'auth') {
    stub(app, '/uploads/covers/:file', async ({ url }, reply) =>
      reply.type('image/webp').send(url === file ? picture : Buffer.alloc(1)),
    )
    stub(app, '/api/auth/login', async () => ({ loggedIn: true }), 'POST')
  }
  if (name === 'minting') {
    stub(app, '/uploads/nfts/:file', async (_request, reply) => reply.type('image/webp').send(picture))
    stub(app, '/api/mints', async () => ({ mints: [] }))
  }
  if (name === 'catalog')
    for (const path of ['/api/nfts/user/:username', '/api/nfts/market'])
      stub(app, path, async (_request, reply) => reply.type('application/json').send(Buffer.alloc(bytes, ' ')))
  return app
}

const remote = async (app: App) => {
  onTestFinished(() => app.close())
  return { url: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

const modes = {
  'in one process': async (app: App): Promise<Upstream> => ({ app }),
  'over the network': remote,
}

describe.each(Object.entries(modes))('%s', (_mode, toUpstream) => {
  async function start(bytes: number, options: Partial<GatewayOptions> = {}) {
    const upstreams = await Promise.all(
      serviceNames.map(async (name) => [name, await toUpstream(service(name, bytes))] as const),
    )
    return startTestGateway(Object.fromEntries(upstreams), { responses: UNREAD, ...options })
  }

  test.each([
    [3, 50, '/uploads/nfts/a.webp', '/api/mints', 'GET'],
    [6, 100, file, '/api/auth/login', 'POST'],
  ])(
    '%i connections with %i pipelined %s that nobody reads: %s responds',
    async (count, requests, path, other, method) => {
      const { url } = await start(MB)
      await openUnread(url, count, requestText('GET', path).repeat(requests))
      expect((await fetch(url + other, { method })).status).toBe(200)
    },
  )

  test('while responses of one network are not read, others get files, lists and log in', async () => {
    const { url, app } = await start(6 * MB)
    for (const text of [requestText('GET', file), requestText('GET', list, [bearer])])
      await openUnread(url, 20, text.repeat(8))

    expect((await fetch(`${url}/api/auth/login`, { method: 'POST' })).status).toBe(200)
    for (const path of [file, list])
      expect((await (await fetch(url + path)).arrayBuffer()).byteLength, path).toBe(6 * MB)
    expect(await connectionsOf(app)).toBeGreaterThanOrEqual(40)
  })

  test('connections whose responses are not read are closed, and give their places back', async () => {
    const { url, metrics } = await start(12 * MB, { responses: { ...UNREAD, stalledMs: 500 } })
    await openUnread(url, 8, requestText('GET', file).repeat(8))
    await expect.poll(() => metrics.text()).toContain('nifty_gateway_connections_refused_total{reason="stalled"} 8')
    const responses = Array.from({ length: 40 }, () =>
      sendRaw(url, requestText('GET', '/uploads/covers/small.webp'), { from: HOSTILE }),
    )
    for (const { status } of await Promise.all(responses)) expect(status).toBe(200)
  })

  test('beyond the share of a network requests wait, and further ones are a 503', async () => {
    const api = { places: 4, placesPerClient: 2, waiting: 9, waitingPerClient: 1, waitMs: 600_000 }
    const { url } = await start(12 * MB, { pools: { api, uploads: wide, files: wide, own: wide } })
    await openUnread(url, 3, requestText('GET', list, [bearer]))
    const refused = await sendRaw(url, requestText('GET', list, [bearer]), { from: HOSTILE })
    expect([refused.status, JSON.parse(refused.body)]).toMatchObject([503, { success: false, code: 'busy' }])
    expect((await fetch(url + list, { headers: { authorization: 'Bearer x' } })).status).toBe(200)
  })

  test.each([
    ['with a token', [bearer]],
    ['of the cache', []],
  ])('lists %s that are not read take a bounded amount of memory', async (_which, headers) => {
    const { url } = await start(3 * MB)
    const before = process.memoryUsage().arrayBuffers
    for (let each = 0; each < 30; each++) {
      const texts = Array.from({ length: 8 }, (_, n) =>
        requestText('GET', `/api/nfts/market?page=${8 * each + n}`, headers),
      )
      await openUnread(url, 1, texts.join(''))
    }
    // A response to another client comes after those to the first ones.
    await (await fetch(url + list)).arrayBuffer()
    expect((process.memoryUsage().arrayBuffers - before) / MB).toBeLessThan(250)
  })
})

/** A plain HTTP server. */
async function serve(handler: RequestListener) {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

test('slow uploads of one network leave room for those of others', async () => {
  const auth = await serve((request, response) => request.resume().on('end', () => response.end('{}')))
  const { url } = await startTestGateway({ auth })
  const head = ['PUT /api/users/7/upload-avatar HTTP/1.1', 'Host: a', 'Content-Type: multipart/form-data']
  await openUnread(url, 40, [...head, 'Content-Length: 1000', '', '{'].join('\r\n'))
  const upload = { method: 'PUT', headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: '--x--' }
  expect((await fetch(`${url}/api/users/7/upload-avatar`, upload)).status).toBe(200)
})

test('a request whose client has left has its place until the service has responded', async () => {
  const arrived: ServerResponse[] = []
  const auth = await serve((_request, response) => void arrived.push(response))
  const { url, app } = await startTestGateway({ auth }, { pools: onePerClient })
  const left = await openConnection(url, { from: HOSTILE })
  left.write(requestText('POST', '/api/auth/login'))
  await expect.poll(() => arrived.length).toBe(1)
  left.end()
  await expect.poll(() => connectionsOf(app)).toBe(0)

  const login = () => sendRaw(url, requestText('POST', '/api/auth/login'), { from: HOSTILE })
  expect((await login()).status).toBe(503)
  arrived[0]!.end('{}')
  const next = login()
  await expect.poll(() => arrived.length).toBe(2)
  arrived[1]!.end('{}')
  expect((await next).status).toBe(200)
})

test('a network has a share of the documents and files of the front end', async () => {
  const webRoot = await siteFolder(Buffer.alloc(24 * MB))
  const { url } = await startTestGateway({}, { webRoot, pools: onePerClient, responses: UNREAD })
  const asset = '/assets/app-1234.js'
  await openUnread(url, 1, requestText('GET', asset))
  const status = async () => (await sendRaw(url, requestText('GET', '/terms'), { from: HOSTILE })).status
  await expect.poll(status).toBe(503)
  expect((await fetch(`${url}/terms`)).status).toBe(200)
  expect((await (await fetch(url + asset)).arrayBuffer()).byteLength).toBe(24 * MB)
})

test('a network has a share of the cached responses', async () => {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  onTestFinished(() => void vi.restoreAllMocks())
  const headers = { etag: 'W/"1"', [CACHE_MS_HEADER]: '1000' }
  let requests = 0
  const catalog = await serve((_request, response) => {
    requests++
    response.writeHead(200, headers).end(Buffer.alloc(12 * MB))
  })
  const { url, metrics } = await startTestGateway({ catalog }, { pools: onePerClient, responses: UNREAD })
  const path = '/api/nfts/top-items'
  const served = async () =>
    Number(/nifty_gateway_cached_responses_total (\d+)/.exec(await metrics.registry.metrics())?.[1])
  const read = async () => (await fetch(url + path, { headers: { 'accept-encoding': 'identity' } })).arrayBuffer()
  await read()

  await openUnread(url, 2, requestText('GET', path))
  // The second one is not served from the cache.
  await expect.poll(() => requests).toBe(2)
  expect(await served()).toBe(1)
  expect((await read()).byteLength).toBe(12 * MB)
  expect(await served()).toBe(2)
})

/** Opens connections from the hostile address that write and never read. */
async function openUnread(url: string, count: number, text: string) {
  for (let each = 0; each < count; each++) {
    const connection = await openConnection(url, { from: HOSTILE, reads: false })
    connection.write(text)
  }
}

const connectionsOf = ({ server }: Awaited<ReturnType<typeof startTestGateway>>['app']) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))

const wide = { places: 1_000, placesPerClient: 1_000, waiting: 1_000, waitingPerClient: 1_000, waitMs: 600_000 }
const one = { ...wide, placesPerClient: 1, waitingPerClient: 0 }
/** Pools in which a client has one place, and waits for none. */
const onePerClient = { api: one, uploads: one, files: one, own: one }
