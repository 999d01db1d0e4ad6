import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { endpoint } from '@nifty/api/endpoint'
import { Id } from '@nifty/api/shapes'
import { temporaryFolder } from '@nifty/dev-servers/temporary-folder'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { accessDenied, conflict, unavailable } from '../base/errors.ts'
import { createLog } from '../base/logs.ts'
import { testLog } from '../testing/log.ts'
import { createApp } from './app.ts'
import { createServiceClient } from './client.ts'
import { createInternalApp } from './internal.ts'
import { registerRoute } from './routes.ts'
import { serviceCredential } from './service-keys.ts'

const app = createApp({ log: testLog, name: 'test' })
const body = Type.Object({ price: Type.Number() }, { additionalProperties: true })
const params = Type.Object({ name: Type.String() })
const get = { method: 'GET', access: 'public' } as const
app.register(async (app) => {
  registerRoute(app, endpoint({ method: 'POST', path: '/things', access: 'public', body }), async ({ body }) => body)
  registerRoute(app, endpoint({ ...get, path: '/things/:name', params }), async ({ params, query }) => ({
    params,
    query,
  }))
  registerRoute(
    app,
    endpoint({ ...get, path: '/of/:id', params: Type.Object({ id: Id }) }),
    async ({ params }) => params,
  )
  registerRoute(app, endpoint({ ...get, path: '/broken' }), async () => {
    throw new Error('select * from secrets at db.internal:5432')
  })
  registerRoute(app, endpoint({ ...get, path: '/full' }), async () => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  })
  registerRoute(app, endpoint({ ...get, path: '/taken' }), async () => {
    throw conflict('taken', 'Taken', { details: { by: 'someone' } })
  })
})
let url: string
beforeAll(async () => {
  url = await app.listen({ host: '127.0.0.1', port: 0 })
})
afterAll(() => app.close())

const post = (payload: string, type = 'application/json') =>
  app.inject({ method: 'POST', url: '/things', payload, headers: { 'content-type': type } })

test.each(['null', 'true', '[5]', '"12"', '"0x10"'])(
  'a price of %s is refused, not turned into a number',
  async (price) => {
    expect((await post(`{"price":${price}}`)).statusCode).toBe(400)
  },
)

test.each([
  ['text/plain', '{"price":1}'],
  ['application/x-www-form-urlencoded', 'price=1'],
  ['text/html', '{"price":"1"}'],
])('a body of type %s is not read', async (type, payload) => {
  expect((await post(payload, type)).json()).toMatchObject({ success: false, code: 'unsupported_media_type' })
})

test.each([' application/json', 'application/json\ta', 'APPLICATION/JSON', 'application/json;charset=utf-8;x'])(
  'the content type %j bypasses no check',
  async (type) => expect((await post('{"price":"1"}', type)).statusCode).toBeGreaterThanOrEqual(400),
)

test.each([
  '{',
  '{"__proto__":{"admin":true},"price":1}',
  '{"constructor":{"prototype":{}},"price":1}',
  '{"price":1e309}',
])('the body %s is a 400', async (payload) => expect((await post(payload)).statusCode).toBe(400))

test.each([
  '{"price":1,"name":"a\\u0000b"}',
  '{"price":1,"name":"\\ud800"}',
  '{"price":1,"name":"a\\nb"}',
  '{"price":1,"deep":{"a\\u0000":1}}',
])('control characters and invalid Unicode are refused: %s', async (payload) =>
  expect((await post(payload)).json()).toMatchObject({ message: 'Invalid characters' }),
)

test('percent-encoding must be UTF-8; a percent sign without hex digits is literal', async () => {
  for (const bytes of ['%ff', '%ED%A0%80', 'a?%c3'])
    expect((await app.inject(`/things/a?q=${bytes}`)).json()).toMatchObject({ message: 'Invalid characters' })
  expect((await app.inject('/things/a?q=100%')).json()).toMatchObject({ query: { q: '100%' } })
  expect((await app.inject('/things/a?q=%C3%A9')).json()).toMatchObject({ query: { q: 'é' } })
})

test.each([
  ['an unknown byte', Buffer.from([0xff, 0xfe])],
  ['an overlong slash', Buffer.from([0xc0, 0xaf])],
  ['a surrogate', Buffer.from([0xed, 0xa0, 0x80])],
  ['a character cut off', Buffer.from([0xe2, 0x82])],
])('a body that is not UTF-8 is a 400: %s', async (_what, bytes) => {
  const payload = Buffer.concat([Buffer.from('{"price":1,"name":"'), bytes, Buffer.from('"}')])
  const headers = { 'content-type': 'application/json' }
  const response = await app.inject({ method: 'POST', url: '/things', payload, headers })
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_characters'])
})

test('a control character in a field is a 400 that names it', async () => {
  const response = await post('{"price":1,"name":"a\\u0007"}')
  expect([response.statusCode, response.json().code]).toEqual([400, 'invalid_characters'])
  expect(response.json().errors).toEqual([{ msg: 'Invalid characters', path: 'name' }])
})

test('an id is a UUID in the form that databases read, in lower or upper case', async () => {
  const id = 'ABCDEF01-2345-6789-abcd-ef0123456789'
  const statusOf = async (of: string) => (await fetch(`${url}/of/${of}`)).status
  expect([await statusOf(id), await statusOf(`urn:uuid:${id}`), await statusOf(`{${id}}`)]).toEqual([200, 400, 400])
})

test('a description may contain line breaks', async () => {
  expect((await post('{"price":1,"description":"a\\nb\\tc"}')).statusCode).toBe(200)
})

test('deep nesting is a 400, a long body a 413, a long URL a 414', async () => {
  expect((await post(`{"price":1,"deep":${'['.repeat(30)}${']'.repeat(30)}}`)).statusCode).toBe(400)
  expect((await post(JSON.stringify({ price: 1, text: 'x'.repeat(101 * 1024) }))).statusCode).toBe(413)
  expect((await app.inject(`/things/a?q=${'x'.repeat(2100)}`)).statusCode).toBe(414)
})

test('a repeated query parameter and NUL in a path are a 400', async () => {
  expect((await app.inject('/things/a?page=1&page=2')).statusCode).toBe(400)
  expect((await app.inject('/things/a%00b')).statusCode).toBe(400)
  expect((await app.inject('/things/%E0%A4%A')).statusCode).toBe(400)
})

test('an unknown path is a 404, a wrong method a 405 that names the right one', async () => {
  expect((await app.inject('/nowhere')).json()).toMatchObject({ success: false, code: 'not_found' })
  const wrong = await app.inject({ method: 'DELETE', url: '/things' })
  expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'POST'])
})

test('a file that a full disk does not take is a 503 without its details', async () => {
  const response = await app.inject('/full')
  expect([response.statusCode, response.json().code]).toEqual([503, 'busy'])
  expect(response.body).not.toContain('ENOSPC')
})

test('an unexpected error responds with its request id only', async () => {
  const broken = await app.inject('/broken')
  expect(broken.json()).toEqual({
    success: false,
    code: 'internal',
    message: 'Something went wrong, please try again.',
    requestId: broken.headers['x-request-id'],
  })
})

test('an expected error responds with its details', async () => {
  expect((await app.inject('/taken')).json()).toMatchObject({ code: 'taken', details: { by: 'someone' } })
})

test('no response is stored by a cache, and a request has two minutes to arrive', async () => {
  for (const url of ['/healthz', '/nowhere', '/taken', '/broken'])
    expect((await app.inject(url)).headers['cache-control'], url).toBe('no-store')
  expect(app.server.requestTimeout).toBe(120_000)
})

test('invalid HTTP does not end the process', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('\x00\x01 nonsense\r\n\r\n')
  await new Promise((resolve) => socket.once('close', resolve).resume())
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('a client without the key is refused, and error responses arrive as the same error', async () => {
  const callers = { payments: ['a long enough key'] }
  const internal = createInternalApp({ log: testLog, name: 'test', admitted: { callers, operators: () => undefined } })
  const thing = endpoint({
    method: 'GET',
    path: '/internal/things/:id',
    access: 'service',
    callers: ['payments'],
    params: Type.Object({ id: Type.String() }),
  })
  registerRoute(internal, thing, async () => {
    throw conflict('taken', 'Taken')
  })
  const address = await internal.listen({ host: '127.0.0.1', port: 0 })
  const untrusted = createServiceClient({ url: address, credential: serviceCredential('guess'), name: 'test' })
  await expect(untrusted(thing, { params: { id: 'a/b' } })).rejects.toMatchObject({ statusCode: 403 })
  const client = createServiceClient({ url: address, credential: serviceCredential('a long enough key'), name: 'test' })
  await expect(client(thing, { params: { id: 'a/b' } })).rejects.toMatchObject({ statusCode: 409, code: 'taken' })
  await internal.close()
  await expect(client(thing, { params: { id: 'a/b' } })).rejects.toMatchObject({ statusCode: 503 })
})

test('a route that only a later release of the called service has is a 503', async () => {
  const key = 'a long enough key'
  const admitted = { callers: { payments: [key] }, operators: () => undefined }
  const internal = createInternalApp({ log: testLog, name: 'test', admitted })
  const address = await internal.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => internal.close())
  const client = createServiceClient({ url: address, credential: serviceCredential(key), name: 'test', log: testLog })
  const later = endpoint({ method: 'POST', path: '/internal/later', access: 'service', callers: ['payments'] })
  await expect(client(later)).rejects.toMatchObject({ statusCode: 503, code: 'service_unavailable' })
})

test('a route that is not an endpoint does not start, nor one whose access has no guard', async () => {
  const open = createApp({ log: testLog, name: 'test' })
  expect(() => open.get('/things', async () => ({}))).toThrow('GET /things is not an endpoint of packages/api')
  const guarded = endpoint({ method: 'GET', path: '/mine', access: 'account' })
  expect(() => registerRoute(open, guarded, async () => ({}))).toThrow('GET /mine: this app has no guard for account')
  const internal = endpoint({ method: 'GET', path: '/internal/things', access: 'service' })
  expect(() => registerRoute(open, internal, async () => ({}))).toThrow('names no service as its caller')
})

test('a response contains the fields of its schema only', async () => {
  const response = Type.Object({ shown: Type.Integer() })
  const own = createApp({ log: testLog, name: 'test' })
  own.register(async (app) =>
    registerRoute(app, endpoint({ ...get, path: '/own', response }), async () => ({ shown: 1, hidden: 2 })),
  )
  expect((await own.inject('/own')).json()).toEqual({ shown: 1 })
})

test('authentication comes before validation, and the OpenAPI document names it', async () => {
  const refuse = async () => {
    throw accessDenied()
  }
  const guarded = createApp({ log: testLog, name: 'test', guards: () => ({ account: refuse }) })
  const mine = endpoint({ method: 'POST', path: '/mine', access: 'account', body })
  guarded.register(async (app) => registerRoute(app, mine, async () => ({})))
  expect((await guarded.inject({ method: 'POST', url: '/mine', payload: '{' })).statusCode).toBe(403)
  expect((await guarded.inject('/openapi.json')).json().paths['/mine'].post.security).toEqual([{ bearer: [] }])
})

test('the log of a request that failed has the code of the error, also of one that is expected', async () => {
  const file = join(await temporaryFolder('app'), 'log')
  const logging = createApp({ log: createLog({ name: 'test', level: 'info', file }), name: 'test' })
  onTestFinished(() => logging.close())
  logging.register(async (app) => {
    registerRoute(app, endpoint({ ...get, path: '/late' }), async () => {
      throw unavailable('catalog_late', 'Late')
    })
  })

  expect((await logging.inject('/late')).statusCode).toBe(503)

  const line = await vi.waitUntil(async () => (await readFile(file, 'utf8').catch(() => '')).split('\n')[0])
  expect(JSON.parse(line!)).toMatchObject({
    msg: 'request completed',
    route: '/late',
    status: 503,
    code: 'catalog_late',
  })
})
