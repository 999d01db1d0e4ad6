import { serviceNames, urlVariable } from '@nifty/api/services'
import { testLog } from '@nifty/service-kit/testing/log'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { publicUrl, remoteEcho, startTestGateway } from '../testing/gateway.ts'
import { requestText, sendRaw } from '../testing/raw-http.ts'

const { url: inProcess } = await startTestGateway({}, { rateLimitFactor: 100 })
const echoes = Object.fromEntries(await Promise.all(serviceNames.map(async (name) => [name, await remoteEcho(name)])))
const { url: remote } = await startTestGateway(echoes, { rateLimitFactor: 100 })

const bothWays = test.each([
  ['in one process', () => inProcess],
  ['over the network', () => remote],
])

/** One whose response is cached, endpoints that are passed on, an upload, and a path that no endpoint has. */
const targets = [
  ['GET', '/api/nfts/market'] as const,
  ['GET', '/api/orders'] as const,
  ['POST', '/api/contact'] as const,
  ['PUT', '/api/users/7/upload-avatar'] as const,
  ['GET', '/api/orders/no/such/endpoint'] as const,
]
const received = (body: string) => (JSON.parse(body) as { headers: Record<string, string> }).headers

bothWays('%s, forwarding, identity and trace headers of the client are replaced or removed', async (_way, url) => {
  const forged = {
    'x-forwarded-for': '1.2.3.4',
    'x-forwarded-proto': 'gopher',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-port': '1',
    'x-internal-secret': 'guess',
    'x-user-id': 'another-user',
    'x-real-ip': '1.2.3.4',
    forwarded: 'for=1.2.3.4',
    'x-original-url': '/internal',
    'x-rewrite-url': '/internal',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
    tracestate: 'a=b',
    baggage: 'a=b',
    'x-request-id': 'mine-mine',
  }
  const lines = Object.entries(forged).map(([name, value]) => `${name}: ${value}`)
  for (const [method, target] of targets) {
    const response = await sendRaw(url(), requestText(method, target, lines))
    const own = Object.entries(received(response.body)).filter(([name]) => name in forged)
    expect(Object.fromEntries(own), `${method} ${target}`).toEqual({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-request-id': response.headers.get('x-request-id'),
    })
    expect(response.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  }
})

bothWays('%s, a client cannot have the headers of the gateway removed by its Connection header', async (_way, url) => {
  const names = ['x-forwarded-for', 'x-forwarded-proto', 'x-request-id', 'traceparent']
  const headers = [`Connection: close, ${names.join(', ')}`, 'X-Forwarded-For: 1.2.3.4', 'X-Request-Id: mine-mine']
  for (const [method, target] of targets) {
    const response = await sendRaw(url(), requestText(method, target, headers))
    expect(received(response.body), `${method} ${target}`).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-request-id': response.headers.get('x-request-id'),
    })
  }
})

test('behind a proxy of TRUSTED_PROXIES the services get the address and the scheme of the client', async () => {
  const urls = Object.fromEntries(serviceNames.map((name) => [urlVariable(name), 'http://service.test']))
  const { trustedProxies } = readConfig({ ...urls, TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' })
  const { url } = await startTestGateway({}, { trustedProxies })
  const headers = { 'x-forwarded-for': '6.6.6.6, 192.0.2.7', 'x-forwarded-proto': 'https' }
  for (const path of ['/api/nfts/market', '/api/orders'])
    expect(received(await (await fetch(url + path, { headers })).text()), path).toMatchObject({
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-proto': 'https',
    })
})

/** The sources of each directive. */
const policyOf = ({ headers }: Response) =>
  Object.fromEntries(
    headers
      .get('content-security-policy')!
      .split('; ')
      .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
  )

const apiPolicy = { 'default-src': "'none'", 'frame-ancestors': "'none'" }
const docsPolicy = {
  'default-src': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' data:",
  'connect-src': "'self'",
  'form-action': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
}
const sitePolicy = {
  'default-src': "'none'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
  'script-src': "'self'",
  'style-src': "'self'",
  'font-src': "'self'",
  'manifest-src': "'self'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'media-src': "'self'",
  'frame-src': "'none'",
  'form-action': "'self'",
}

const ofAllKinds = {
  'strict-transport-security': 'max-age=63072000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
}

test('sub-domains are bound to TLS only where the operator wants it, on errors of the parser too', async () => {
  const services = Object.fromEntries(serviceNames.map((name) => [urlVariable(name), 'http://service.test']))
  const { hstsSubdomains } = readConfig({ PUBLIC_URL: publicUrl, ...services, HSTS_INCLUDE_SUBDOMAINS: 'true' })
  const { url } = await startTestGateway({}, { hstsSubdomains })
  for (const request of [requestText('GET', '/'), 'no request\r\n\r\n']) {
    const { headers } = await sendRaw(url, request)
    expect(headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains')
  }
  const { headers } = await sendRaw(inProcess, 'no request\r\n\r\n')
  expect(headers.get('strict-transport-security')).toBe('max-age=63072000')
})

bothWays('%s, every response has the security headers of its kind', async (_way, url) => {
  const kinds = {
    '/api/nfts/market': apiPolicy,
    '/api/docs': apiPolicy,
    '/api/docs/': docsPolicy,
    '/api/orders': apiPolicy,
    '/api/nope': apiPolicy,
    '/': sitePolicy,
    '/terms': sitePolicy,
    '/nope': sitePolicy,
    '/reset-password/abc': sitePolicy,
    '/certificate': sitePolicy,
    '/certificate/': sitePolicy,
    '/Certificate//': sitePolicy,
  }
  for (const [path, policy] of Object.entries(kinds)) {
    const response = await fetch(url() + path)
    expect(policyOf(response), path).toEqual(policy)
    expect(Object.fromEntries(response.headers), path).toMatchObject({
      ...ofAllKinds,
      'referrer-policy': /^\/(reset-password|certificate)/i.test(path)
        ? 'no-referrer'
        : 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': path === '/api/nfts/market' ? 'cross-origin' : 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
    })
  }
})

bothWays('%s, files that pages load have no headers that take effect on documents only', async (_way, url) => {
  const kinds = {
    '/uploads/nfts/a': 'cross-origin',
    [`/uploads/originals/0x${'1'.repeat(40)}/7`]: 'same-origin',
    '/assets/app-1234.js': 'same-origin',
  }
  for (const [path, resourcePolicy] of Object.entries(kinds)) {
    const response = await fetch(url() + path)
    expect(policyOf(response), path).toEqual(apiPolicy)
    expect(Object.fromEntries(response.headers), path).toMatchObject({
      ...ofAllKinds,
      'cross-origin-resource-policy': resourcePolicy,
    })
    const isOpen = resourcePolicy === 'cross-origin'
    expect(response.headers.get('access-control-allow-origin'), path).toBe(isOpen ? '*' : null)
    for (const name of ['referrer-policy', 'cross-origin-opener-policy', 'permissions-policy'])
      expect(response.headers.get(name), path).toBeNull()
  }
})

bothWays('%s, cross-site writes are rejected, but the webhook is accepted', async (_way, url) => {
  const send = async (method: string, path: string, headers: Record<string, string>) =>
    (await fetch(url() + path, { method, headers })).status
  const foreign = { origin: 'https://evil.test' }
  for (const method of ['POST', 'PUT', 'DELETE']) expect(await send(method, '/api/orders/7', foreign), method).toBe(403)
  for (const origin of ['null', `${publicUrl}.evil.test`, publicUrl.replace('http:', 'https:'), `${publicUrl}:81`])
    expect(await send('POST', '/api/contact', { origin }), origin).toBe(403)
  expect(await send('POST', '/api/contact', { 'sec-fetch-site': 'cross-site' })).toBe(403)
  expect(await send('POST', '/api/payments/other', foreign)).toBe(403)
  expect(await send('POST', '/api/payments/webhook/other', foreign)).toBe(403)

  expect(await send('POST', '/api/contact', { origin: publicUrl, 'sec-fetch-site': 'same-origin' })).toBe(200)
  expect(await send('POST', '/api/payments/webhook', foreign)).toBe(200)
  expect(await send('POST', '/api/payments/webhook?a=1', { 'sec-fetch-site': 'cross-site' })).toBe(200)
  expect(await send('GET', '/api/orders/7', foreign)).toBe(200)
})

bothWays('%s, another origin may read nothing that a session or a preflight opens', async (_way, url) => {
  const asked = { origin: 'https://evil.test', 'access-control-request-method': 'PUT' }
  const authorization = 'Bearer a.b.c'
  for (const [method, path, headers] of [
    ['GET', '/api/orders', {}],
    ['GET', '/api/auth/user', {}],
    ['GET', '/', {}],
    ['GET', '/nope', {}],
    ['GET', '/api/nfts/market', { authorization }],
    ['HEAD', '/api/nfts/market', { authorization }],
    ['OPTIONS', '/api/nfts/market', {}],
    ['OPTIONS', '/api/orders', {}],
    ['GET', '/api/users/profile/@ada', {}],
    // The router decodes paths.
    ['GET', `/uploads/%6friginals/0x${'1'.repeat(40)}/7`, { authorization }],
    ['GET', `/upload%73/originals/0x${'1'.repeat(40)}/7`, { authorization }],
    ['GET', '/logo.png/orders', {}],
    ['GET', '/logo.pngs', {}],
  ] as const) {
    const response = await fetch(url() + path, { method, headers: { ...asked, ...headers } })
    const allowed = [...response.headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect(allowed, `${method} ${path}`).toEqual([])
    expect(response.headers.get('cross-origin-resource-policy'), path).toBe('same-origin')
  }
})

bothWays('%s, other sites may read metadata, images and cached responses, without credentials', async (_way, url) => {
  const headers = { origin: 'https://explorer.test' }
  const paths = ['/api/tokens/0x1/7', '/uploads/nfts/a', '/uploads/avatars/a', '/share/nothing', '/api/exhibitions']
  for (const path of [...paths, '/api/nfts/market', '/api/creators', '/api/nfts/@ada/0x1/7']) {
    const response = await fetch(url() + path, { headers })
    expect(Object.fromEntries(response.headers), path).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(response.headers.get('access-control-allow-credentials'), path).toBeNull()
  }
})

test('a store that is opened at another address than PUBLIC_URL says so, and once in the log', async () => {
  const warnings: string[] = []
  const log = Object.assign(Object.create(testLog), { warn: (_fields: object, text: string) => warnings.push(text) })
  const { url } = await startTestGateway({}, { log })
  const send = async (origin: string) => {
    const response = await fetch(`${url}/api/auth/login`, { method: 'POST', headers: { origin } })
    return [response.status, (await response.json()) as { code: string; message: string }] as const
  }
  for (let time = 0; time < 2; time++)
    expect(await send(url)).toMatchObject([
      403,
      { code: 'other_address', message: `This store is at ${publicUrl}. Please open it there.` },
    ])
  expect(await send('https://evil.test')).toMatchObject([403, { code: 'foreign_origin', message: 'Forbidden' }])
  expect(warnings.filter((text) => text.includes('PUBLIC_URL'))).toHaveLength(1)
})
