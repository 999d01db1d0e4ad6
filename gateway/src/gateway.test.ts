import { serviceNames } from '@nifty/api/services'
import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { beforeAll, expect, test } from 'vitest'
import { publicUrl, remoteEcho, startTestGateway, stub } from './testing/gateway.ts'
import { requestText, sendRaw } from './testing/raw-http.ts'

let inProcess: string
let remote: string
beforeAll(async () => {
  inProcess = (await startTestGateway({}, { rateLimitFactor: 100 })).url
  const echoes = Object.fromEntries(await Promise.all(serviceNames.map(async (name) => [name, await remoteEcho(name)])))
  remote = (await startTestGateway(echoes, { rateLimitFactor: 100 })).url
})

const contract = `0x${'ab'.repeat(20)}`
const bothWays = test.each([
  ['in one process', () => inProcess],
  ['over the network', () => remote],
])

bothWays('%s, each prefix is routed to its service and the body arrives unchanged', async (_way, url) => {
  const expected = {
    '/api/auth/login': 'auth',
    '/api/nfts/market': 'catalog',
    '/api/nfts/test': 'payments',
    '/uploads/nfts/a.webp': 'minting',
    '/api/contact': 'notification',
  }
  for (const [path, name] of Object.entries(expected)) {
    const response = await fetch(url() + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":[1,"é"]}',
    })
    expect(await response.json()).toMatchObject({ name, url: path, body: { a: [1, 'é'] } })
  }
})

bothWays('%s, forwarding and identity headers of the client are replaced', async (_way, url) => {
  const response = await fetch(`${url()}/api/nfts/market`, {
    headers: {
      'x-forwarded-for': '1.2.3.4',
      'x-internal-secret': 'guess',
      'x-user-id': 'another-user',
      'x-request-id': 'mine-mine',
    },
  })
  const { headers } = (await response.json()) as { headers: Record<string, string> }
  expect(headers['x-forwarded-for']).toContain('127.0.0.1')
  expect(headers['x-forwarded-for']).not.toContain('1.2.3.4')
  expect(headers['x-internal-secret']).toBeUndefined()
  expect(headers['x-user-id']).toBeUndefined()
  expect(headers['x-request-id']).toBe(response.headers.get('x-request-id'))
  expect(headers['x-request-id']).not.toBe('mine-mine')
})

bothWays('%s, a client cannot have the headers of the gateway removed by its Connection header', async (_way, url) => {
  const names = ['x-forwarded-for', 'x-forwarded-proto', 'x-request-id', 'traceparent']
  const headers = [`Connection: close, ${names.join(', ')}`, 'X-Forwarded-For: 1.2.3.4', 'X-Request-Id: mine-mine']
  const response = await sendRaw(url(), requestText('GET', '/api/nfts/market', headers))
  const received = JSON.parse(response.body).headers
  expect(received['x-forwarded-for']).toBe('127.0.0.1')
  expect(received['x-forwarded-proto']).toBe('http')
  expect(received['x-request-id']).toBe(response.headers.get('x-request-id'))
})

bothWays('%s, headers about the connection of a client do not fail its request', async (_way, url) => {
  const headers = ['Keep-Alive: timeout=5', 'Upgrade: h2c', 'TE: trailers', 'Expect: 100-continue', 'Trailer: x-a']
  for (const method of ['GET', 'POST'])
    for (const header of headers) {
      const body = '{"a":1}'
      const text = requestText(method, '/api/nfts/market', [header, 'Content-Type: application/json'], body)
      expect((await sendRaw(url(), text)).status, `${method} ${header}`).toBe(200)
    }
})

test('behind a trusted proxy the services get the address and the scheme of the client', async () => {
  const { url } = await startTestGateway({}, { trustedProxies: ['127.0.0.1'] })
  const headers = { 'x-forwarded-for': '6.6.6.6, 192.0.2.7', 'x-forwarded-proto': 'https' }
  const received = (await (await fetch(`${url}/api/nfts/market`, { headers })).json()) as any
  expect(received.headers['x-forwarded-for']).toBe('192.0.2.7')
  expect(received.headers['x-forwarded-proto']).toBe('https')
})

bothWays('%s, every response has the security headers', async (_way, url) => {
  for (const path of ['/api/nfts/market', '/', '/nope', '/assets/app-1234.js', '/api/nope']) {
    const { headers } = await fetch(url() + path)
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy'), path).not.toContain('unsafe')
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('strict-transport-security'), path).toContain('max-age=63072000')
  }
})

bothWays('%s, cross-site writes are rejected, but the webhook is accepted', async (_way, url) => {
  const post = (path: string, headers: Record<string, string>) => fetch(url() + path, { method: 'POST', headers })
  expect((await post('/api/contact', { origin: 'https://evil.test' })).status).toBe(403)
  expect((await post('/api/contact', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await post('/api/contact', { origin: publicUrl })).status).toBe(200)
  expect((await post('/api/payments/webhook', { origin: 'https://processor.test' })).status).toBe(200)
})

test('a page has its own title and description, and an unknown path is a 404 with the error page', async () => {
  const creators = await fetch(`${inProcess}/creators`)
  expect(await creators.text()).toContain('<title>Creators | Nifty</title>')
  // A dot in a username does not make the path a file.
  expect((await fetch(`${inProcess}/creator-profile/@ines.arrow`)).status).toBe(200)
  const nowhere = await fetch(`${inProcess}/nowhere`)
  expect(nowhere.status).toBe(404)
  expect(await nowhere.text()).toContain('Somthing went wrong!')
  expect((await fetch(`${inProcess}/reset-password/abc`)).headers.get('referrer-policy')).toBe('no-referrer')
})

test('an item page has title, description and image of the work in its head, escaped', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/:username/:contract/:identifier', async () => ({
    name: 'Dusk <script>',
    description: 'A "quiet" evening.',
    image: '/uploads/nfts/dusk',
    forSale: true,
    price: 120,
    contract,
    identifier: '7',
    creator: { firstName: 'Ada', lastName: 'Lind', username: '@ada' },
  }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const html = await (await fetch(`${url}/item-detail/@ada/${contract}/7`)).text()
  expect(html).toContain('<title>Dusk &lt;script&gt; by Ada Lind | Nifty</title>')
  expect(html).toMatch(
    new RegExp(`<meta property="og:image" content="${publicUrl}/share/item/${contract}/7/[0-9a-f]{20}.jpg" />`),
  )
  expect(html).toContain('A &quot;quiet&quot; evening. For sale at 120.00 €.')
})

test('/api/docs merges the OpenAPI documents of all services', async () => {
  const docs = (await (await fetch(`${inProcess}/api/docs`)).json()) as { paths: object }
  expect(Object.keys(docs.paths)).toContain('/api/{*}')
})

test('robots.txt and sitemap.xml list the pages', async () => {
  expect(await (await fetch(`${inProcess}/robots.txt`)).text()).toContain(`${publicUrl}/sitemap.xml`)
  const index = await (await fetch(`${inProcess}/sitemap.xml`)).text()
  expect(index).toContain(`<sitemap><loc>${publicUrl}/sitemap-pages.xml</loc></sitemap>`)
  const pages = await (await fetch(`${inProcess}/sitemap-pages.xml`)).text()
  expect(pages).toContain(`<loc>${publicUrl}/explore-one</loc>`)
})
