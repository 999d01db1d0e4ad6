import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '@nifty/api/endpoint'
import { endpoints } from '@nifty/api/endpoints/all'
import { type Limit, limits } from '@nifty/api/limits'
import { serviceNames } from '@nifty/api/services'
import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { describe, expect, test } from 'vitest'
import { remoteEcho, startTestGateway, stub } from '../testing/gateway.ts'
import { openConnection, requestText, sendRaw } from '../testing/raw-http.ts'
import { siteOfRequest } from './limits.ts'

const LIMIT = 2
/** A factor with which this limit is LIMIT requests. */
const factorFor = ({ perMinute }: Limit) => (LIMIT - 0.1) / perMinute

const all = serviceNames.flatMap((name) => endpoints[name].public)
const narrow = Object.values<Limit>(limits)
  .map((limit) => ({ name: limit.name, limit, of: all.filter((endpoint) => endpoint.limit === limit) }))
  .filter(({ of }) => of.length > 0)
const filled = ({ path }: Endpoint) => path.replace(/:\w+/g, 'some-name')

test.each<string[] | false>([false, ['10.0.0.0/8']])(
  'a connection that its client has reset counts for nobody, with trusted proxies %j',
  (trusted) => {
    const request = { socket: {}, headers: {} } as IncomingMessage
    expect(siteOfRequest(trusted)(request)).toBe('')
  },
)

const modes = {
  'in one process': async () => ({}),
  'over the network': async () =>
    Object.fromEntries(await Promise.all(serviceNames.map(async (name) => [name, await remoteEcho(name)]))),
}

describe.each(Object.entries(modes))('%s', (_mode, upstreams) => {
  test.each(narrow)('the limit "$name" counts all of its endpoints, HEAD as GET', async ({ limit, of }) => {
    const { url } = await startTestGateway(await upstreams(), { rateLimitFactor: factorFor(limit) })
    const send = (endpoint: Endpoint, method: string = endpoint.method) => fetch(url + filled(endpoint), { method })
    const [first] = of as [Endpoint]

    for (let count = 0; count < LIMIT; count++) {
      const endpoint = of[count % of.length]!
      expect((await send(endpoint, endpoint.method === 'GET' && count > 0 ? 'HEAD' : undefined)).status).toBe(200)
    }

    const refused = await send(first)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.json()).toMatchObject({ success: false, code: 'too_many_requests' })
    for (const endpoint of of) expect((await send(endpoint)).status, endpoint.path).toBe(429)
    if (first.method === 'GET') expect((await send(first, 'HEAD')).status).toBe(429)
  })

  test('other spellings of a path avoid no limit: they are refused, counted, or reach no endpoint', async () => {
    const factor = factorFor(limits.login)
    const auth = createApp({ log: testLog, name: 'auth' })
    let reached = 0
    auth.addHook('onRequest', async ({ routeOptions }) => {
      if (routeOptions.url === '/api/auth/login') reached++
    })
    stub(auth, '/api/auth/login', async () => ({}), 'POST')
    const isRemote = Object.keys(await upstreams()).length > 0
    const { url } = await startTestGateway(
      { auth: isRemote ? { url: await auth.listen({ host: '127.0.0.1', port: 0 }) } : { app: auth } },
      { rateLimitFactor: factor },
    )
    const targets = [
      'http://store.test/api/auth/login',
      '/api/auth/login#a',
      '/api/auth/login?next=#a',
      '/api/auth/./login',
      '/api/auth/%2e/login',
      '/api/auth/x/../login',
      '/api/auth/x/%2E./login',
      '/api/auth/.%2flogin',
      '/api/auth\\login',
      '/api/auth%5Clogin',
      '/api/auth/lo\tgin',
      '/api/auth/login\x0c',
      '/api/auth/login\xa0',
      'api/auth/login',
    ]
    for (const target of targets) {
      const response = await sendRaw(url, requestText('POST', target))
      expect(response.status, JSON.stringify(target)).toBe(400)
      expect(JSON.parse(response.body), target).toMatchObject({ success: false })
      expect(response.headers.get('x-content-type-options'), target).toBe('nosniff')
    }
    expect(reached).toBe(0)

    for (const target of ['/api/auth/login', '/%61pi/auth/l%6fgin?a=1', '/api/auth/login', '/%61pi/auth/login'])
      await sendRaw(url, requestText('POST', target))
    expect(reached).toBe(LIMIT)
    for (const target of ['/api/auth/login/', '/api/auth/LOGIN', '//api/auth/login', '/api/auth//login'])
      await sendRaw(url, requestText('POST', target))
    expect(reached).toBe(LIMIT)
    if (isRemote) await auth.close()
  })

  test('each limit has a counter of its own', async () => {
    const { url } = await startTestGateway(await upstreams(), { rateLimitFactor: factorFor(limits.login) })
    const post = async (path: string) => (await fetch(url + path, { method: 'POST' })).status
    for (const status of [200, 200, 429]) expect(await post('/api/auth/login')).toBe(status)
    expect(await post('/api/auth/signup')).toBe(200)
    expect(await post('/api/contact')).toBe(200)
  })

  test('a request beyond its limit is refused before its body has arrived', async () => {
    const { url } = await startTestGateway(await upstreams(), { rateLimitFactor: factorFor(limits.login) })
    for (let count = 0; count < LIMIT; count++) await fetch(`${url}/api/auth/login`, { method: 'POST' })

    const connection = await openConnection(url)
    const head = 'Host: store.test\r\nContent-Type: application/json\r\nContent-Length: 1000'
    connection.write(`POST /api/auth/login HTTP/1.1\r\n${head}\r\n\r\n{`)
    expect((await connection.response()).status).toBe(429)
  })

  test('every other endpoint and unknown paths of a service share the wide limit', async () => {
    const { url } = await startTestGateway(await upstreams(), { rateLimitFactor: factorFor(limits.api) })
    expect((await fetch(`${url}/api/nfts/market`)).status).toBe(200)
    expect((await fetch(`${url}/api/orders/unknown/path`)).status).toBe(200)
    for (const path of ['/api/nfts/market', '/api/orders', '/api/users/nowhere', '/api/creators'])
      expect((await fetch(url + path)).status, path).toBe(429)
  })
})

test('pages have a limit; probes and files of the build have none', async () => {
  const { url } = await startTestGateway({}, { rateLimitFactor: factorFor(limits.pages) })
  const status = async (path: string, method = 'GET') => (await fetch(url + path, { method })).status
  expect(await status('/terms')).toBe(200)
  expect(await status('/nowhere', 'HEAD')).toBe(404)
  const sitemaps = ['/sitemap.xml', '/sitemap-pages.xml', `/sitemap-works-${randomUUID()}.xml`]
  for (const path of ['/', '/terms', '/api/docs', '/api/docs/', '/nowhere', '/api/nowhere', ...sitemaps])
    expect(await status(path), path).toBe(429)
  // A tenth of the limit of pages.
  expect([await status('/share/nothing'), await status('/share/nothing')]).toEqual([404, 429])
  expect(await status('/nowhere', 'POST')).toBe(429)
  const slow = await openConnection(url)
  slow.write('POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{')
  expect((await slow.response()).status).toBe(429)
  expect(await status('/healthz')).toBe(200)
  expect(await status('/assets/app-1234.js')).toBe(200)
})

test.each([
  ['IPv4 and the same address mapped into IPv6', ['192.0.2.7', '::ffff:192.0.2.7', '::ffff:c000:207'], '192.0.2.8'],
  ['one /64 of IPv6', ['2001:db8:1:2:3:4:5:6', '2001:DB8:1:2::9', '2001:db8:1:2:ffff::'], '2001:db8:1:3::9'],
])('%s share a counter', async (_what, addresses, other) => {
  const { url } = await startTestGateway(
    {},
    { rateLimitFactor: factorFor(limits.login), trustedProxies: ['127.0.0.1'] },
  )
  const send = async (address: string) =>
    (await fetch(`${url}/api/auth/login`, { method: 'POST', headers: { 'x-forwarded-for': address } })).status
  for (const address of addresses.slice(0, LIMIT)) expect(await send(address), address).toBe(200)
  for (const address of addresses) expect(await send(address), address).toBe(429)
  expect(await send(other)).toBe(200)
})

test('all networks of an IPv6 /48 together have ten times a narrow limit, and as much as they like of the wide one', async () => {
  const { url } = await startTestGateway(
    {},
    { rateLimitFactor: factorFor(limits.login), trustedProxies: ['127.0.0.1'] },
  )
  const send = async (address: string, path = '/api/auth/login', method = 'POST') =>
    (await fetch(url + path, { method, headers: { 'x-forwarded-for': address } })).status
  for (let network = 0; network < 10 * LIMIT; network++)
    expect(await send(`2001:db8:1:${network.toString(16)}::1`)).toBe(200)
  expect(await send('2001:db8:1:ff::1')).toBe(429)
  expect(await send('2001:db8:1:ff::1', '/api/nfts/market', 'GET')).toBe(200)
  expect(await send('2001:db8:2:ff::1')).toBe(200)
  for (let host = 0; host < 11 * LIMIT; host++) expect(await send(`::ffff:192.0.2.${host}`)).toBe(200)
})

test('an X-Forwarded-For of a client that is no trusted proxy changes nothing', async () => {
  const { url } = await startTestGateway({}, { rateLimitFactor: factorFor(limits.login) })
  const send = async (address: string) =>
    (await fetch(`${url}/api/auth/login`, { method: 'POST', headers: { 'x-forwarded-for': address } })).status
  expect(await Promise.all(['192.0.2.7', '192.0.2.8'].map(send))).toEqual([200, 200])
  expect(await send('192.0.2.9')).toBe(429)
})

test('requests on one connection are counted one by one', async () => {
  const { url } = await startTestGateway({}, { rateLimitFactor: factorFor(limits.login) })
  const connection = await openConnection(url)
  connection.write(requestText('POST', '/api/auth/login').repeat(LIMIT + 1))
  await connection.response()
  expect((await fetch(`${url}/api/auth/login`, { method: 'POST' })).status).toBe(429)
})

test('every limit of packages/api has endpoints or is one of the gateway itself', () => {
  const used = new Set(all.map(({ limit = limits.api }) => limit.name))
  const unused = Object.values(limits).filter(({ name }) => !used.has(name))
  expect(unused).toEqual([limits.shareImages, limits.pages])
  // Each counter has a name of its own, and gateways share the narrow ones.
  expect(new Set(Object.values(limits).map(({ name }) => name)).size).toBe(Object.keys(limits).length)
})
