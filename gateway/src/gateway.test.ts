import { serviceNames } from '@nifty/api/services'
import { createApp } from '@nifty/service-kit/http/app'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, test } from 'vitest'
import { publicUrl, remoteEcho, startTestGateway, stub } from './testing/gateway.ts'
import { requestText, sendRaw } from './testing/raw-http.ts'

const { url: inProcess } = await startTestGateway({}, { rateLimitFactor: 100 })
const echoes = Object.fromEntries(await Promise.all(serviceNames.map(async (name) => [name, await remoteEcho(name)])))
const { url: remote } = await startTestGateway(echoes, { rateLimitFactor: 100 })

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

bothWays('%s, headers about the connection of a client do not fail its request', async (_way, url) => {
  const headers = ['Keep-Alive: timeout=5', 'Upgrade: h2c', 'TE: trailers', 'Expect: 100-continue', 'Trailer: x-a']
  for (const method of ['GET', 'POST'])
    for (const header of headers) {
      const body = '{"a":1}'
      const text = requestText(method, '/api/orders', [header, 'Content-Type: application/json'], body)
      expect((await sendRaw(url(), text)).status, `${method} ${header}`).toBe(200)
    }
})

test('a page has its own title and description, and an unknown path is a 404 with the error page', async () => {
  const creators = await fetch(`${inProcess}/creators`)
  expect(await creators.text()).toContain('<title>Creators | Nifty</title>')
  // A dot in a username does not make the path a file.
  expect((await fetch(`${inProcess}/creator-profile/@ines.arrow`)).status).toBe(200)
  const nowhere = await fetch(`${inProcess}/nowhere`)
  expect(nowhere.status).toBe(404)
  expect(await nowhere.text()).toContain('Somthing went wrong!')
})

test('the name of the store is text in every document', async () => {
  const store = { name: '<b>Lumen & "Söhne"</b>', tagline: 'Art, <i>lit</i>.' }
  const company = { name: 'Lumen', number: '1', register: 'Registered', address: [], email: 'a@lumen.test' }
  const { url } = await startTestGateway({}, { frontEnd: { chainId: 31337, store, company } })
  const escaped = '&lt;b&gt;Lumen &amp; &quot;Söhne&quot;&lt;/b&gt;'
  for (const path of ['/creators', '/nowhere', '/caf%E9']) {
    const document = await (await fetch(url + path, { headers: { accept: 'text/html' } })).text()
    expect(document, path).toMatch(new RegExp(`<title>[^<]+ \\| ${escaped}</title>`))
    expect(document, path).toContain(`<meta property="og:site_name" content="${escaped}" />`)
    expect(document, path).toContain(`<noscript>${escaped} needs JavaScript.</noscript>`)
    expect(document, path).not.toMatch(/<b>|<i>|nifty|%store/i)
  }
  expect(await (await fetch(`${url}/terms`)).text()).toContain('content="Art, &lt;i&gt;lit&lt;/i&gt;. Pay by bank card')
  const manifest = await fetch(`${url}/manifest.webmanifest`)
  expect(manifest.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8')
  expect(await manifest.json()).toMatchObject({ name: store.name, short_name: store.name, description: store.tagline })
  expect(await (await fetch(`${url}/config.json`)).json()).toMatchObject({ store })
  expect(await (await fetch(`${url}/api/docs`)).json()).toMatchObject({ info: { title: store.name } })
})

test('an address that no page has or that cannot be read shows a browser the error page, and programs JSON', async () => {
  const addresses: [string, number][] = [
    ['/index.php', 404],
    ['/index.html', 404],
    ['/wp-login.php?a=1', 404],
    ['/no/such/page', 404],
    ['/.well-known/nothing', 404],
    ['/explore-one?search=%E0%A4%A', 400],
    ['/caf%E9', 400],
    ['/a/%2e%2e/b', 400],
    [`/explore-one?search=${'x'.repeat(3_000)}`, 414],
  ]
  for (const [target, status] of addresses) {
    const page = await sendRaw(inProcess, requestText('GET', target, ['Accept: text/html,*/*;q=0.8']))
    expect([page.status, page.headers.get('content-type')], target).toEqual([status, 'text/html; charset=utf-8'])
    expect(page.body, target).toContain('<title>Somthing went wrong! | Nifty</title>')
    expect(page.headers.get('content-security-policy'), target).toContain("script-src 'self'")
  }
  for (const target of ['/index.php', '/caf%E9', '/explore-one?search=%E0%A4%A']) {
    const answer = await sendRaw(inProcess, requestText('GET', target, ['Accept: */*']))
    expect(JSON.parse(answer.body), target).toMatchObject({ success: false, code: expect.any(String) })
  }
  const api = await sendRaw(inProcess, requestText('GET', '/api/%E9', ['Accept: text/html']))
  expect([api.status, JSON.parse(api.body).success]).toEqual([400, false])
})

test('programs find whom to tell about a vulnerability, and where a password is changed', async () => {
  const answer = await fetch(`${inProcess}/.well-known/security.txt`)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const fields = Object.fromEntries(
    (await answer.text())
      .trim()
      .split('\n')
      .reverse()
      .map((line) => line.split(/: (.*)/)),
  )
  expect(fields).toMatchObject({ Contact: 'mailto:a@gallery.test', Canonical: `${publicUrl}/.well-known/security.txt` })
  expect(Date.parse(fields.Expires)).toBeGreaterThan(Date.now())
  const change = await fetch(`${inProcess}/.well-known/change-password`, { redirect: 'manual' })
  expect([change.status, change.headers.get('location')]).toEqual([302, '/reset-pass'])
})

bothWays('%s, a request with two Host lines is a 400', async (_way, url) => {
  for (const target of ['/', '/terms', '/api/orders', '/api/nfts/market'])
    for (const second of ['Host: store.test', 'HOST: evil.test'])
      expect((await sendRaw(url(), requestText('GET', target, [second]))).status, `${target} ${second}`).toBe(400)
})

test('the canonical address of an item names its owner, whoever is named in the address that was opened', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  stub(catalog, '/api/nfts/:username/:contract/:identifier', async () => ({
    name: 'Dusk',
    description: '',
    image: '/uploads/nfts/dusk',
    forSale: false,
    price: null,
    contract,
    identifier: '7',
    ownerUsername: '@ada',
    creator: null,
  }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const path = `/item-detail/%40ada/${contract}/7`
  const own = `${publicUrl}${path}`
  for (const username of ['@ada', '@ADA', '@any.famous.name', 'x']) {
    const html = await (await fetch(`${url}/item-detail/${username}/${contract}/7/`)).text()
    expect(html, username).toContain(`<link rel="canonical" href="${own}" />`)
    expect(html, username).toContain(`<meta property="og:url" content="${own}" />`)
  }
  // The address of a work has the username of its owner; any other one redirects to it.
  const foreign = await fetch(`${url}/item-detail/@any.famous.name/${contract}/7?from=mail`, { redirect: 'manual' })
  expect(foreign.status).toBe(301)
  expect(foreign.headers.get('location')).toBe(`${path}?from=mail`)
  expect(foreign.headers.get('cache-control')).toBe('no-cache')
  expect((await fetch(`${url}${path}`, { redirect: 'manual' })).status).toBe(200)
  expect(await (await fetch(`${url}/explore-one/`)).text()).toContain(`rel="canonical" href="${publicUrl}/explore-one"`)
})

test('an unknown path is a 404 for every method and type of body', async () => {
  for (const [type, body] of [
    ['application/json', '{'],
    ['multipart/form-data', 'x'],
    ['text/html', '<p>'],
  ] as const) {
    const response = await fetch(`${inProcess}/nowhere`, { method: 'POST', headers: { 'content-type': type }, body })
    expect([response.status, await response.json()], type).toMatchObject([404, { code: 'not_found' }])
  }
  for (const path of ['/api/nope', '/uploads/nope']) {
    const response = await fetch(inProcess + path)
    expect([response.status, await response.json()], path).toMatchObject([404, { code: 'not_found' }])
  }
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
  expect(html).toContain('A &quot;quiet&quot; evening. For sale at 120\u00a0€.')
})

test('no text of a work or of an address ends an attribute or a tag of the document', async () => {
  const catalog = createApp({ log: testLog, name: 'catalog' })
  const hostile = `"'><i>$&$\`</head>`
  const hostileName = `@"'><i>$&$\``
  stub(catalog, '/api/nfts/:username/:contract/:identifier', async () => ({
    name: hostile,
    description: hostile,
    category: hostile,
    image: `/uploads/nfts/${hostile}`,
    forSale: true,
    price: 120,
    contract,
    identifier: '7',
    ownerUsername: hostileName,
    creator: { firstName: hostile, lastName: hostile, username: hostile },
  }))
  const { url } = await startTestGateway({ catalog: { app: catalog } })
  const plain = await (await fetch(`${url}/nowhere`)).text()
  const { body } = await sendRaw(
    url,
    requestText('GET', `/item-detail/${encodeURIComponent(hostileName)}/${contract}/7`),
  )

  expect(body).toContain('imagesrcset="/uploads/nfts/&quot;')
  expect(body).toContain(`<link rel="canonical" href="${publicUrl}/item-detail/%40%22%27%3E%3Ci%3E%24%26%24%60/`)
  expect(body).not.toContain('<i>')
  expect(body.match(/<\/?head>/g)).toEqual(plain.match(/<\/?head>/g))
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
  expect(pages).not.toMatch(/login|signup/)
})
