import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { endpoint } from '@nifty/api/endpoint'
import { beforeAll, expect, test } from 'vitest'
import { createTestAuth } from '../testing/auth.ts'
import { testLog } from '../testing/log.ts'
import { createApp } from './app.ts'
import { accountGuards, createAuthenticate } from './authentication.ts'
import { callerOf, registerRoute } from './routes.ts'

const userId = randomUUID()
const auth = await createTestAuth()
const ownEndpoint = (method: 'GET' | 'POST') => endpoint({ method, path: '/me', access: 'account' })
const createTestApp = (sessions = auth.sessions) => {
  const app = createApp({
    log: testLog,
    name: 'test',
    guards: (app) => accountGuards(createAuthenticate(app, sessions)),
  })
  app.register(async (app) => {
    for (const method of ['GET', 'POST'] as const)
      registerRoute(app, ownEndpoint(method), async (request) => callerOf(request))
  })
  return app
}
const app = createTestApp()
beforeAll(async () => void (await app.ready()))

const me = (headers: Record<string, string>, url = '/me') => app.inject({ url, headers })
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const now = () => Math.floor(Date.now() / 1000)
const claims = () => ({ sub: userId, sid: randomUUID(), iss: 'nifty', aud: 'nifty', iat: now(), exp: now() + 600 })

/** A token as an attacker would put it together. */
const forge = (header: object, payload: object, signer: (text: string) => Buffer) => {
  const text = `${encode(header)}.${encode(payload)}`
  return { authorization: `Bearer ${text}.${signer(text).toString('base64url')}` }
}
const by = (key: KeyObject) => (text: string) => sign(null, Buffer.from(text), key)
const stranger = generateKeyPairSync('ed25519')

test('a valid token authenticates its account and session', async () => {
  const sessionId = randomUUID()
  expect((await me(auth.bearer(userId, sessionId))).json()).toEqual({ userId, sessionId })
})

test('a token of an ended session is a 401', async () => {
  const sessionId = randomUUID()
  await auth.end(sessionId)
  expect((await me(auth.bearer(userId, sessionId))).statusCode).toBe(401)
})

const publicKey = auth.sessions.publicKey('test')!
const forgeries: Record<string, () => Record<string, string>> = {
  'no token': () => ({}),
  'not a token': () => ({ authorization: 'Bearer nonsense' }),
  'another scheme': () => ({ authorization: 'Basic dGVzdA==' }),
  'no signature': () => forge({ alg: 'none', typ: 'JWT', kid: 'test' }, claims(), () => Buffer.alloc(0)),
  'HS256 with the public key': () =>
    forge({ alg: 'HS256', typ: 'JWT', kid: 'test' }, claims(), (text) =>
      createHmac('sha256', publicKey).update(text).digest(),
    ),
  'a stranger’s key': () => forge({ alg: 'EdDSA', kid: 'test' }, claims(), by(stranger.privateKey)),
  'a key brought along': () =>
    forge(
      { alg: 'EdDSA', kid: 'test', jwk: stranger.publicKey.export({ format: 'jwk' }) },
      claims(),
      by(stranger.privateKey),
    ),
  'a key from elsewhere': () =>
    forge({ alg: 'EdDSA', kid: 'test', jku: 'http://evil.test' }, claims(), by(stranger.privateKey)),
  'a path as key id': () => forge({ alg: 'EdDSA', kid: '../../dev/null' }, claims(), by(stranger.privateKey)),
  'no key id': () => forge({ alg: 'EdDSA' }, claims(), by(stranger.privateKey)),
}
test.each(Object.keys(forgeries))('%s is a 401 with the same response', async (name) => {
  const { statusCode, headers, json } = await me(forgeries[name]!())
  expect([statusCode, headers['www-authenticate']]).toEqual([401, 'Bearer'])
  expect(json()).toMatchObject({ success: false, code: 'unauthenticated', message: 'Authentication required' })
})

test('a token is accepted in the Authorization header only', async () => {
  const token = auth.bearer(userId).authorization.slice('Bearer '.length)
  expect((await me({}, `/me?token=${token}`)).statusCode).toBe(401)
  expect((await me({ cookie: `token=${token}` })).statusCode).toBe(401)
})

test.each([
  ['expired', { exp: now() - 60 }],
  ['living for ten years', { exp: now() + 315_360_000 }],
  ['with its end in milliseconds', { exp: Date.now() + 600_000 }],
  ['with its end as text', { exp: String(now() + 600) }],
  ['with half a second', { exp: now() + 600.5 }],
  ['without an end', { exp: undefined }],
  ['without a session', { sid: undefined }],
  ['without a subject', { sub: undefined }],
  ['from the future', { iat: now() + 3600, exp: now() + 7200 }],
  ['for somebody else', { aud: 'other' }],
  ['from somebody else', { iss: 'other' }],
])('a well-signed token %s is a 401', async (_name, changes) => {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: 'test' }
  expect((await me(forge(header, { ...claims(), ...changes }, by(auth.privateKey)))).statusCode).toBe(401)
})

test('the same token without the change is accepted', async () => {
  expect((await me(forge({ alg: 'EdDSA', typ: 'JWT', kid: 'test' }, claims(), by(auth.privateKey)))).statusCode).toBe(
    200,
  )
  expect(
    (await me(forge({ alg: 'EdDSA', typ: 'JWT', kid: 'test', crit: ['x'] }, claims(), by(auth.privateKey)))).statusCode,
  ).toBe(401)
})

test('while auth is unavailable reads are served and writes get 503', async () => {
  const silent = createTestApp({ ...auth.sessions, age: () => 31_000 })
  expect((await silent.inject({ url: '/me', headers: auth.bearer(userId) })).statusCode).toBe(200)
  expect((await silent.inject({ method: 'POST', url: '/me', headers: auth.bearer(userId) })).statusCode).toBe(503)
})

test('before the keys of auth were read a token is a 503, because it may be valid', async () => {
  const keyless = createTestApp({ ...auth.sessions, publicKey: () => undefined, age: () => Number.POSITIVE_INFINITY })
  for (const method of ['GET', 'POST'] as const) {
    const answer = await keyless.inject({ method, url: '/me', headers: auth.bearer(userId) })
    expect(answer.statusCode).toBe(503)
    expect(answer.json()).toMatchObject({ code: 'sessions_unknown' })
  }
  expect((await keyless.inject('/me')).statusCode).toBe(401)
})
