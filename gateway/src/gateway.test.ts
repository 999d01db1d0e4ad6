import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { beforeAll, expect, test } from 'vitest'
import { services } from './routes.ts'
import { gatewayTo, publicUrl, remoteEcho } from './testing.ts'

let near: string
let far: string
beforeAll(async () => {
  near = (await gatewayTo({}, { rateLimitFactor: 100 })).url
  const remote = Object.fromEntries(await Promise.all(services.map(async (name) => [name, await remoteEcho(name)])))
  far = (await gatewayTo(remote, { rateLimitFactor: 100 })).url
})

const bothWays = test.each([
  ['in one process', () => near],
  ['over the network', () => far],
])

bothWays('%s, each prefix leads to its service and the body arrives whole', async (_way, door) => {
  const expected = {
    '/api/auth/login': 'auth',
    '/api/nfts/market': 'catalog',
    '/api/nfts/test': 'payments',
    '/uploads/nfts/a.webp': 'minting',
    '/api/contact': 'notification',
  }
  for (const [path, name] of Object.entries(expected)) {
    const response = await fetch(door() + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":[1,"é"]}',
    })
    expect(await response.json()).toMatchObject({ name, url: path, body: { a: [1, 'é'] } })
  }
})

bothWays('%s, what a caller claims about itself is replaced', async (_way, door) => {
  const response = await fetch(`${door()}/api/nfts/market`, {
    headers: {
      'x-forwarded-for': '1.2.3.4',
      'x-internal-secret': 'guess',
      'x-user-id': 'somebody',
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

bothWays('%s, every answer carries the security headers', async (_way, door) => {
  for (const path of ['/api/nfts/market', '/', '/nope', '/assets/app-1234.js', '/api/nope']) {
    const { headers } = await fetch(door() + path)
    expect(headers.get('content-security-policy'), path).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy'), path).not.toContain('unsafe')
    expect(headers.get('x-content-type-options'), path).toBe('nosniff')
    expect(headers.get('strict-transport-security'), path).toContain('max-age=63072000')
  }
})

bothWays('%s, another site cannot change anything, but the processor can call', async (_way, door) => {
  const post = (path: string, headers: Record<string, string>) => fetch(door() + path, { method: 'POST', headers })
  expect((await post('/api/contact', { origin: 'https://evil.test' })).status).toBe(403)
  expect((await post('/api/contact', { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await post('/api/contact', { origin: publicUrl })).status).toBe(200)
  expect((await post('/api/payments/webhook', { origin: 'https://processor.test' })).status).toBe(200)
})

test('a page has its own title and description, and an unknown path is a 404 that shows the error page', async () => {
  const creators = await fetch(`${near}/creators`)
  expect(await creators.text()).toContain('<title>Creators | Nifty</title>')
  // A dot may be part of a name: it makes no file of a page.
  expect((await fetch(`${near}/creator-profile/@ines.arrow`)).status).toBe(200)
  const nowhere = await fetch(`${near}/nowhere`)
  expect(nowhere.status).toBe(404)
  expect(await nowhere.text()).toContain('Somthing went wrong!')
  expect((await fetch(`${near}/reset-password/abc`)).headers.get('referrer-policy')).toBe('no-referrer')
})

test('a page where visits begin asks for its own scripts at once, and for those alone', async () => {
  const preloads = async (path: string) =>
    [...(await (await fetch(near + path)).text()).matchAll(/modulepreload" crossorigin href="([^"]+)"/g)].map(
      ([, file]) => file,
    )
  expect(await preloads('/explore-one?category=Cube')).toEqual(['/assets/explore-1234.js', '/assets/works-1234.js'])
  expect(await preloads('/terms')).toEqual([])
})

test('a page where visits begin asks for its first answer and its largest picture together with its scripts', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  catalog.get('/api/nfts/market', async ({ query }) => ({
    nfts: [{ image: `/uploads/nfts/first-of-${(query as { limit: string }).limit}` }, { image: '/uploads/nfts/other' }],
  }))
  catalog.get('/api/nfts/:username/:contract/:identifier', async () => ({ name: 'Dusk', image: '/uploads/nfts/dusk' }))
  const { url } = await gatewayTo({ catalog: { app: catalog } })
  const preloads = async (path: string) =>
    [...(await (await fetch(url + path)).text()).matchAll(/<link rel="preload" as="(?:fetch|image)" ([^>]*) \/>/g)].map(
      ([, attributes]) => attributes,
    )
  const picture = (path: string, sizes: string) =>
    `imagesrcset="${path}?w=320 320w, ${path}?w=640 640w" imagesizes="${sizes}" fetchpriority="high"`
  expect(await preloads('/explore-one')).toEqual([
    'crossorigin href="/api/nfts/market?page=1&amp;limit=200"',
    picture('/uploads/nfts/first-of-1', '50vw'),
  ])
  // As the front end asks: each part of the address encoded.
  expect(await preloads('/item-detail/@ada/0xabc/7')).toEqual([
    'crossorigin href="/api/nfts/%40ada/0xabc/7"',
    picture('/uploads/nfts/dusk', '100vw'),
  ])
  // What is asked there is another question.
  expect(await preloads('/explore-one?category=Cube')).toEqual([])
  expect(await preloads('/terms')).toEqual([])
})

test('a page comes all the same where its first work cannot be told', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  catalog.get('/api/nfts/market', async () => ({ nfts: [] }))
  const { url } = await gatewayTo({ catalog: { app: catalog } })
  expect(await (await fetch(`${url}/explore-one`)).text()).not.toContain('as="image"')
})

test('an item page names the work to readers without scripts, escaped', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  catalog.get('/api/nfts/:username/:contract/:identifier', async () => ({
    name: 'Dusk <script>',
    description: 'A "quiet" evening.',
    image: '/uploads/nfts/dusk',
    forSale: true,
    price: 120,
    creator: { firstName: 'Ada', lastName: 'Lind' },
  }))
  const { url } = await gatewayTo({ catalog: { app: catalog } })
  const html = await (await fetch(`${url}/item-detail/@ada/0xabc/7`)).text()
  expect(html).toContain('<title>Dusk &lt;script&gt; by Ada Lind | Nifty</title>')
  expect(html).toContain(`<meta property="og:image" content="${publicUrl}/uploads/nfts/dusk?w=960" />`)
  expect(html).toContain('A &quot;quiet&quot; evening. For sale at 120.00 €.')
})

test('too many log-ins from one address are a 429 with the time to wait, and detours count too', async () => {
  const { url } = await gatewayTo({})
  const paths = [
    '/api/auth/login',
    '/api/auth/login/',
    '/api/auth/LOGIN',
    '/%61pi/auth/login',
    '/api/auth/lockscreen-login',
  ]
  for (let count = 0; count < 30; count++) await fetch(url + paths[count % paths.length]!, { method: 'POST' })
  const refused = await fetch(`${url}/api/auth/login`, { method: 'POST' })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await refused.json()).toMatchObject({ message: 'Too many requests, please try again later.' })
  expect((await fetch(`${url}/api/nfts/market`)).status).toBe(200)
})

test('the documents of all services are one', async () => {
  const docs = (await (await fetch(`${near}/api/docs`)).json()) as { paths: object }
  expect(Object.keys(docs.paths)).toContain('/api/{*}')
})

test('robots find the pages', async () => {
  expect(await (await fetch(`${near}/robots.txt`)).text()).toContain(`${publicUrl}/sitemap.xml`)
  expect(await (await fetch(`${near}/sitemap.xml`)).text()).toContain(`<loc>${publicUrl}/explore-one</loc>`)
})
