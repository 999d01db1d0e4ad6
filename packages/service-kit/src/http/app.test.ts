import { connect } from 'node:net'
import { Type } from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { conflict } from '../errors.ts'
import { testLog } from '../testing/log.ts'
import { createApp } from './app.ts'
import { createInternalApp, createServiceClient } from './internal.ts'

const app = createApp({ log: testLog, name: 'test' })
const priced = Type.Object({ price: Type.Number() }, { additionalProperties: true })
app.register(async (app) => {
  app.post('/things', { schema: { body: priced } }, async ({ body }) => body)
  app.get('/things/:name', async ({ params, query }) => ({ params, query }))
  app.get('/broken', async () => {
    throw new Error('select * from secrets at db.internal:5432')
  })
  app.get('/taken', async () => {
    throw conflict('taken', 'Taken', { details: { by: 'somebody' } })
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
  'the type %j leads around no check',
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
])('characters that nobody types are refused: %s', async (payload) =>
  expect((await post(payload)).json()).toMatchObject({ message: 'Invalid characters' }),
)

test('an address is UTF-8, and a lone percent sign is only a percent sign', async () => {
  for (const bytes of ['%ff', '%ED%A0%80', 'a?%c3'])
    expect((await app.inject(`/things/a?q=${bytes}`)).json()).toMatchObject({ message: 'Invalid characters' })
  expect((await app.inject('/things/a?q=100%')).json()).toMatchObject({ query: { q: '100%' } })
  expect((await app.inject('/things/a?q=%C3%A9')).json()).toMatchObject({ query: { q: 'é' } })
})

test('people may write several lines in a description', async () => {
  expect((await post('{"price":1,"description":"a\\nb\\tc"}')).statusCode).toBe(200)
})

test('deep nesting, long bodies and long addresses have their own status', async () => {
  expect((await post(`{"price":1,"deep":${'['.repeat(30)}${']'.repeat(30)}}`)).statusCode).toBe(400)
  expect((await post(JSON.stringify({ price: 1, text: 'x'.repeat(101 * 1024) }))).statusCode).toBe(413)
  expect((await app.inject(`/things/a?q=${'x'.repeat(2100)}`)).statusCode).toBe(414)
})

test('a query parameter counts once, and NUL in a path is a 400', async () => {
  expect((await app.inject('/things/a?page=1&page=2')).statusCode).toBe(400)
  expect((await app.inject('/things/a%00b')).statusCode).toBe(400)
  expect((await app.inject('/things/%E0%A4%A')).statusCode).toBe(400)
})

test('an unknown path is a 404, a wrong method a 405 that names the right one', async () => {
  expect((await app.inject('/nowhere')).json()).toMatchObject({ success: false, code: 'not_found' })
  const wrong = await app.inject({ method: 'DELETE', url: '/things' })
  expect([wrong.statusCode, wrong.headers.allow]).toEqual([405, 'POST'])
})

test('a bug tells nobody anything but its number', async () => {
  const broken = await app.inject('/broken')
  expect(broken.json()).toEqual({
    success: false,
    code: 'internal',
    message: 'Something went wrong, please try again.',
    requestId: broken.headers['x-request-id'],
  })
})

test('a refusal carries its facts', async () => {
  expect((await app.inject('/taken')).json()).toMatchObject({ code: 'taken', details: { by: 'somebody' } })
})

test('bytes that are no HTTP do not end the process', async () => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  socket.write('\x00\x01 nonsense\r\n\r\n')
  await new Promise((resolve) => socket.once('close', resolve).resume())
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
})

test('a neighbour without the secret is refused, and its refusals arrive as they are', async () => {
  const internal = createInternalApp({ log: testLog, name: 'test', secret: 'a long enough secret' })
  internal.get('/internal/thing', async () => {
    throw conflict('taken', 'Taken')
  })
  const address = await internal.listen({ host: '127.0.0.1', port: 0 })
  const stranger = createServiceClient({ url: address, secret: 'guess', name: 'test' })
  await expect(stranger('GET', '/internal/thing')).rejects.toMatchObject({ statusCode: 403 })
  const friend = createServiceClient({ url: address, secret: 'a long enough secret', name: 'test' })
  await expect(friend('GET', '/internal/thing')).rejects.toMatchObject({ statusCode: 409, code: 'taken' })
  await internal.close()
  await expect(friend('GET', '/internal/thing')).rejects.toMatchObject({ statusCode: 503 })
})
