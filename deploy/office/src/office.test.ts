import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Endpoint } from '@nifty/api/endpoint'
import { endpoints } from '@nifty/api/endpoints/all'
import { getMailQueue } from '@nifty/api/notification/ops'
import { endpointKey, officePaths } from '@nifty/api/office'
import { getOrderHistory, listOpenOrders, refundLine } from '@nifty/api/payments/ops'
import { perService } from '@nifty/api/services'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { createServiceClient } from '@nifty/service-kit/http/client'
import {
  createOperatorCheck,
  operatorCredential,
  operatorEntry,
  parseOperators,
} from '@nifty/service-kit/http/operator-token'
import fastify from 'fastify'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { startOffice } from './office.ts'

const HOUR_MS = 3_600_000
const id = 'd3ea7c40-151c-497c-be4d-fd9114883227'
const privateKey = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const operators = parseOperators(operatorEntry('ada', privateKey))

/** In place of a service: checks the signature and returns what it received. */
const check = createOperatorCheck('payments', operators)
const received: string[] = []
/** What the service answers to requests with this reason. */
const refusals: Record<string, { status: number; answer: object }> = {
  closed: { status: 409, answer: { code: 'closed', message: 'Closed', details: { state: 'spam' } } },
  wrong: { status: 400, answer: { code: 'wrong', message: 'Wrong', errors: [{ msg: 'is wrong', path: 'amount' }] } },
  'too much': { status: 413, answer: { code: 'too_large', message: 'The request is too large' } },
}
const service = fastify()
service.removeAllContentTypeParsers()
service.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
service.get('/uploads/nfts/dusk.webp', async ({ url, headers }) => `${url} as ${headers.accept}`)
service.all('/*', async (request, reply) => {
  const { operator } = check(request)
  received.push(`${request.method} ${request.url}`)
  const refusal = refusals[JSON.parse(String(request.body || '{}')).reason]
  if (refusal) return reply.code(refusal.status).send(refusal.answer)
  return { operator, body: request.body ?? '' }
})
const url = await service.listen({ port: 0, host: '127.0.0.1' })
afterAll(() => service.close())
const stopped = 'http://127.0.0.1:1'

const beside = await temporaryFolder('office')
const folder = join(beside, 'dist-office')
await mkdir(folder)
await mkdir(join(folder, 'assets'))
await mkdir(join(folder, '.vite'))
await writeFile(join(folder, 'office.html'), '<title>Office</title>')
await writeFile(join(folder, 'assets/office.js'), 'void 0')
await writeFile(join(folder, '.vite/secret.html'), 'not a page')
await writeFile(join(beside, 'beside.html'), 'beside')

type Sent = { path: string; method?: string; headers?: Record<string, string>; body?: unknown }

/** An office, a clock that the test moves on, and raw requests, in which a test sets every header. */
async function open() {
  const clock = { now: Date.now() }
  const credential = operatorCredential({ name: 'ada', privateKey })
  const clients = perService((name) =>
    createServiceClient({ url: name === 'notification' ? stopped : url, credential, name }),
  )
  const read = { folders: 0 }
  const office = await startOffice({
    port: 0,
    store: { operator: 'ada', publicUrl: url, clients },
    webRoot: async () => {
      read.folders++
      return folder
    },
    now: () => clock.now,
  })
  onTestFinished(office.stop)
  const { origin, hash, host, port } = new URL(office.address)

  const send = async ({ path, method = 'GET', headers = {}, body }: Sent) => {
    const own: Record<string, string> = { host, ...(method === 'GET' ? {} : { origin }), ...headers }
    if (body !== undefined) own['content-type'] ??= 'application/json'
    const request = sendRequest({ port, host: '127.0.0.1', path, method, headers: own })
    const content = typeof body === 'string' || body === undefined ? body : JSON.stringify(body)
    request.end(content)
    const [response] = await once(request, 'response')
    const answer = await text(response)
    return {
      status: response.statusCode as number,
      headers: response.headers,
      text: answer,
      code: (/"code":"([a-z_]+)"/.exec(answer) ?? [])[1],
    }
  }
  const exchange = (code = hash.slice(1), headers = {}) =>
    send({ path: officePaths.session, method: 'POST', body: { code }, headers })
  const ask = (cookie: string | undefined, body: unknown, headers: Record<string, string> = {}) =>
    send({ path: officePaths.requests, method: 'POST', body, headers: { ...(cookie && { cookie }), ...headers } })
  const cookieOf = async () => String((await exchange()).headers['set-cookie']).split(';')[0]!
  return { clock, read, origin, port, host, send, exchange, ask, cookieOf }
}

const openOrders = { service: 'payments', endpoint: endpointKey(listOpenOrders) }

test('a request is signed by the operator and reaches the service with its parameters and body', async () => {
  const { ask, cookieOf, send } = await open()
  const cookie = await cookieOf()

  expect((await ask(cookie, openOrders)).text).toBe('{"operator":"ada","body":""}')
  await ask(cookie, { service: 'payments', endpoint: endpointKey(getOrderHistory), params: { id } })
  const body = { lineId: id, reason: 'Sent twice' }
  const refund = await ask(cookie, { service: 'payments', endpoint: endpointKey(refundLine), body })

  expect(JSON.parse(refund.text)).toEqual({ operator: 'ada', body: JSON.stringify(body) })
  expect(received.slice(-3)).toEqual([
    endpointKey(listOpenOrders),
    `GET ${getOrderHistory.path.replace(':id', id)}`,
    endpointKey(refundLine),
  ])
  expect((await send({ path: officePaths.session, headers: { cookie } })).text).toBe(
    `{"operator":"ada","publicUrl":"${url}"}`,
  )
})

test('the cookie is for this port alone, for eight hours, and no script or other site has it', async () => {
  const { exchange, port } = await open()

  const [cookie] = (await exchange()).headers['set-cookie']!

  expect(cookie).toMatch(
    new RegExp(`^nifty-office-${port}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/; Max-Age=28800$`),
  )
})

test('a code opens one session; a second one, another one and none are 403', async () => {
  const { exchange } = await open()

  expect((await exchange('guessed')).status).toBe(403)
  expect((await exchange('')).status).toBe(403)
  expect((await exchange()).status).toBe(200)
  const second = await exchange()
  expect([second.status, second.code, second.headers['set-cookie']]).toEqual([403, 'invalid_code', undefined])
})

test('a code and a session end after eight hours', async () => {
  const late = await open()
  late.clock.now += 8 * HOUR_MS
  expect((await late.exchange()).code).toBe('invalid_code')

  const { clock, ask, cookieOf } = await open()
  const cookie = await cookieOf()
  clock.now += 8 * HOUR_MS - 1
  expect((await ask(cookie, openOrders)).status).toBe(200)
  clock.now += 1
  const over = await ask(cookie, openOrders)
  expect([over.status, over.code]).toEqual([403, 'no_session'])
})

test('the pages are read at the first request, once', async () => {
  const { read, send } = await open()
  expect(read.folders).toBe(0)
  await Promise.all([send({ path: '/' }), send({ path: '/orders' })])
  expect(read.folders).toBe(1)
})

test('a session that is over names the command for another address, which opens the office beside the first', async () => {
  const first = await open()
  const cookie = await first.cookieOf()
  first.clock.now += 8 * HOUR_MS
  const over = await first.send({ path: officePaths.session, headers: { cookie } })
  expect([over.status, over.text]).toEqual([403, expect.stringContaining('`npx pnpm ops office`')])

  const second = await open()
  const renewed = await second.cookieOf()
  expect((await second.ask(renewed, openOrders)).status).toBe(200)
  expect((await first.ask(`${cookie}; ${renewed}`, openOrders)).code).toBe('no_session')
})

test('without the cookie, with another one, or with that of another office a request is 403', async () => {
  const { ask, cookieOf, send, port } = await open()
  const cookie = await cookieOf()
  const other = await open()
  const foreign = (await other.cookieOf()).replace(/^[^=]+/, `nifty-office-${port}`)

  for (const wrong of [
    undefined,
    `${cookie}x`,
    cookie.slice(0, -1),
    `nifty-office-${port}=`,
    'nifty-office-1=x',
    foreign,
  ]) {
    const refused = await ask(wrong, openOrders)
    expect([refused.status, refused.code], wrong).toEqual([403, 'no_session'])
  }
  expect((await send({ path: officePaths.session })).status).toBe(403)
})

test('another host name that resolves to this machine is 403, for pages too', async () => {
  const { ask, cookieOf, send, exchange, port } = await open()
  const cookie = await cookieOf()

  for (const host of [
    'evil.example',
    `evil.example:${port}`,
    `localhost:${port}`,
    '127.0.0.1',
    '127.0.0.1:1',
    `[::1]:${port}`,
  ]) {
    expect((await send({ path: '/', headers: { host } })).code, host).toBe('other_host')
    expect((await ask(cookie, openOrders, { host })).code, host).toBe('other_host')
    expect((await exchange('x', { host })).code, host).toBe('other_host')
  }
})

test('a page of another origin is 403, also one of another port of this machine, with the cookie', async () => {
  const { ask, cookieOf, send, origin } = await open()
  const cookie = await cookieOf()

  for (const foreign of ['http://127.0.0.1:1', 'http://evil.example', 'null', origin.replace('http', 'https'), ''])
    expect((await ask(cookie, openOrders, { origin: foreign })).code, foreign).toBe('other_origin')
  expect((await send({ path: officePaths.session, headers: { cookie, origin: 'http://127.0.0.1:1' } })).status).toBe(
    403,
  )
})

test('a request without an origin is 403 unless it only reads a page', async () => {
  const { send, host, cookieOf } = await open()
  const cookie = await cookieOf()

  const { code } = await send({
    path: officePaths.requests,
    method: 'POST',
    body: openOrders,
    headers: { cookie, host, origin: '' },
  })

  expect(code).toBe('other_origin')
})

const notForOperators = Object.entries(endpoints).flatMap(([service, { public: open, internal }]) =>
  [...open, ...internal.filter(({ access }) => access !== 'operator')].map((endpoint): [string, Endpoint] => [
    service,
    endpoint,
  ]),
)

test('nothing but operators’ endpoints of a service is forwarded', async () => {
  const { ask, cookieOf } = await open()
  const cookie = await cookieOf()
  const before = received.length
  expect(notForOperators.length).toBeGreaterThan(100)

  for (const [service, endpoint] of notForOperators) {
    const { status } = await ask(cookie, { service, endpoint: endpointKey(endpoint), params: { id } })
    expect(status, `${service} ${endpointKey(endpoint)}`).toBe(403)
  }
  const foreign = await ask(cookie, {
    service: 'auth',
    endpoint: endpointKey(refundLine),
    body: { lineId: id, reason: 'x' },
  })
  expect([foreign.status, foreign.code]).toEqual([403, 'not_an_operators_endpoint'])
  for (const endpoint of [
    'GET /internal/ops/orders/../reservations',
    'GET /metrics',
    'get /internal/ops/orders',
    'toString',
    '',
  ])
    expect((await ask(cookie, { service: 'payments', endpoint })).status, endpoint).toBe(403)
  for (const service of ['gateway', '__proto__', 'payments/', null])
    expect((await ask(cookie, { ...openOrders, service })).status, String(service)).toBe(400)
  expect(received.length).toBe(before)
})

test('a parameter stays within its segment of the path', async () => {
  const { ask, cookieOf } = await open()
  const cookie = await cookieOf()
  const history = { service: 'payments', endpoint: endpointKey(getOrderHistory) }
  const before = received.length

  for (const value of ['', '.', '..'])
    expect((await ask(cookie, { ...history, params: { id: value } })).status, value).toBe(400)
  expect((await ask(cookie, history)).status).toBe(400)
  expect(received.length).toBe(before)

  for (const value of ['../refund', '..%2frefund', 'x?y=1', 'x#y', '\\..\\refund'])
    await ask(cookie, { ...history, params: { id: value } })
  for (const line of received.slice(before))
    expect(line).toMatch(new RegExp(`^GET ${getOrderHistory.path.replace(':id', '[^/?#\\\\]+')}$`))
})

test('a path is a built file, a page, or nothing: never another file of this machine', async () => {
  const { send } = await open()

  expect((await send({ path: '/assets/office.js' })).text).toBe('void 0')
  for (const page of [
    '/',
    '/orders/1',
    '/../beside.html',
    '/..%2fbeside.html',
    '/%2e%2e/beside.html',
    '/.vite/secret.html',
    '//evil.example/',
  ])
    expect((await send({ path: page })).text, page).toBe('<title>Office</title>')
  expect((await send({ path: '/assets/none.js' })).status).toBe(404)
  expect((await send({ path: '/assets/../../beside.html' })).text).toBe('<title>Office</title>')
  expect((await send({ path: '/', method: 'PUT' })).status).toBe(404)
})

test('a picture of a work is read from the store, within a session, and nothing else is', async () => {
  const { send, cookieOf } = await open()
  const cookie = await cookieOf()
  const before = received.length

  const picture = await send({ path: `${officePaths.pictures}/dusk.webp`, headers: { cookie } })
  expect(picture).toMatchObject({ status: 200, text: '/uploads/nfts/dusk.webp?w=320 as image/webp' })
  expect(picture.headers['content-type']).toBe('image/webp')
  expect(picture.headers['x-content-type-options']).toBe('nosniff')

  expect((await send({ path: `${officePaths.pictures}/dusk.webp` })).code).toBe('no_session')
  for (const file of ['..%2f..%2fapi', '..', '%2e%2e', 'dusk.webp%3fw=1', 'a%2fb', '.env'])
    expect((await send({ path: `${officePaths.pictures}/${file}`, headers: { cookie } })).text, file).not.toContain(
      'webp',
    )
  expect(received.length).toBe(before)
})

test('a page loads own scripts only, is in no frame and is kept by no cache', async () => {
  const { send } = await open()

  const { headers } = await send({ path: '/' })

  expect(String(headers['content-security-policy']).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ])
  expect(headers).toMatchObject({
    'cache-control': 'no-store',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  })
  expect(headers['access-control-allow-origin']).toBeUndefined()
})

test('a body that is no JSON, or none of ours, is 400 or 415', async () => {
  const { ask, send, cookieOf } = await open()
  const cookie = await cookieOf()

  expect((await ask(cookie, '{')).status).toBe(400)
  expect((await ask(cookie, { ...openOrders, url: 'http://evil.example' })).status).toBe(400)
  const form = await send({
    path: officePaths.requests,
    method: 'POST',
    body: 'service=payments',
    headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
  })
  expect(form.status).toBe(415)
})

test('a request with fields of other types or too long ones is 400, a large one is 413, and none is forwarded', async () => {
  const { ask, send, cookieOf } = await open()
  const cookie = await cookieOf()
  const before = received.length
  const history = { service: 'payments', endpoint: endpointKey(getOrderHistory), params: { id } }
  const refund = { service: 'payments', endpoint: endpointKey(refundLine) }

  for (const wrong of [
    { ...history, params: { id: 5 } },
    { ...history, params: { id: 'x'.repeat(2_001) } },
    { ...history, query: { after: true } },
    { ...history, endpoint: 'x'.repeat(201) },
    { ...history, endpoint: [history.endpoint] },
    { ...refund, body: 'reason' },
    { ...refund, body: [] },
    [],
    'null',
  ])
    expect((await ask(cookie, wrong)).status, JSON.stringify(wrong)).toBe(400)
  for (const code of [5, null, 'x'.repeat(201)])
    expect((await send({ path: officePaths.session, method: 'POST', body: { code } })).status).toBe(400)
  expect((await ask(cookie, { ...refund, body: { reason: 'x'.repeat(1_100_000) } })).status).toBe(413)
  expect(received.length).toBe(before)
})

test('a refusal of a service arrives with its fields, its state and its status', async () => {
  const { ask, cookieOf } = await open()
  const cookie = await cookieOf()

  for (const [reason, { status, answer }] of Object.entries(refusals)) {
    const refund = { service: 'payments', endpoint: endpointKey(refundLine), body: { lineId: id, reason } }
    const refused = await ask(cookie, refund)
    expect([refused.status, JSON.parse(refused.text)]).toEqual([status, { success: false, ...answer }])
  }
})

test('the office is at one address of this machine', async () => {
  const { port } = await open()
  const [error] = await once(connect(Number(port), '127.0.0.2'), 'error').catch((reason) => [reason])
  expect(error.code).toMatch(/^(ECONNREFUSED|EADDRNOTAVAIL|ETIMEDOUT)$/)
})

test('a service that does not respond is a 503 which names it', async () => {
  const { ask, cookieOf } = await open()
  const cookie = await cookieOf()

  const { status, code, text } = await ask(cookie, { service: 'notification', endpoint: endpointKey(getMailQueue) })

  expect([status, code]).toEqual([503, 'service_unavailable'])
  expect(text).toContain('notification')
})
