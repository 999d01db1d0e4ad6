import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto'
import { endpoint } from '@nifty/api/endpoint'
import { beforeAll, expect, test } from 'vitest'
import { createTestAuth } from '../testing/auth.ts'
import { testLog } from '../testing/log.ts'
import { createApp } from './app.ts'
import { accountGuards, createAuthenticate } from './authentication.ts'
import { callerOf, registerRoute, requireStepUp } from './routes.ts'

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
  expect((await me(auth.bearer(userId, sessionId))).json()).toEqual({ userId, sessionId, steppedUp: false })
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
  ['for nobody', { aud: undefined }],
  ['for two audiences', { aud: ['nifty', 'nifty-step-up'] }],
  ['from nobody', { iss: undefined }],
  ['from somebody else', { iss: 'other' }],
])('a well-signed token %s is a 401', async (_name, changes) => {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: 'test' }
  expect((await me(forge(header, { ...claims(), ...changes }, by(auth.privateKey)))).statusCode).toBe(401)
})

test("the same token without the change is accepted, also where the clock is ten minutes behind auth's", async () => {
  const header = { alg: 'EdDSA', typ: 'JWT', kid: 'test' }
  const status = async (more: object, changes: object) =>
    (await me(forge({ ...header, ...more }, { ...claims(), ...changes }, by(auth.privateKey)))).statusCode
  expect(await status({}, {})).toBe(200)
  expect(await status({}, { iat: now() + 600, exp: now() + 1_200 })).toBe(200)
  expect(await status({ crit: ['x'] }, {})).toBe(401)
  expect(await status({ typ: undefined }, {})).toBe(401)
  expect(await status({ typ: 'dpop+jwt' }, {})).toBe(401)
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

const steppedUp = async (claimsOfStepUp: object) => {
  const session = claims()
  const header = { alg: 'EdDSA', typ: 'JWT', kid: 'test' }
  const bearer = forge(header, session, by(auth.privateKey))
  const { authorization } = forge(header, { ...session, aud: 'nifty-step-up', ...claimsOfStepUp }, by(auth.privateKey))
  const stepUp = authorization.slice('Bearer '.length)
  const answer = await me({ ...bearer, 'x-step-up': stepUp })
  return { answer: answer.json().steppedUp, asBearer: (await me({ authorization: `Bearer ${stepUp}` })).statusCode }
}

test('a step-up token counts beside the bearer token of its session, and is none itself', async () => {
  expect(await steppedUp({})).toEqual({ answer: true, asBearer: 401 })
})

test.each([
  ['expired', { iat: now() - 700, exp: now() - 100 }],
  ['that lives for an hour', { exp: now() + 3_600 }],
  ['that is a bearer token', { aud: 'nifty' }],
  ['from somebody else', { iss: 'other' }],
  ['of another session', { sid: randomUUID() }],
  ['of another account', { sub: randomUUID() }],
  ['without an end', { exp: undefined }],
])('a step-up token %s does not count', async (_name, changes) => {
  expect((await steppedUp(changes)).answer).toBe(false)
})

const guarded = (stepUp: 'always' | 'sometimes') =>
  endpoint({ method: 'POST', path: `/${stepUp}`, access: 'account', stepUp })
const guardedApp = createApp({
  log: testLog,
  name: 'test',
  guards: (app) => accountGuards(createAuthenticate(app, auth.sessions)),
})
guardedApp.register(async (app) => {
  registerRoute(app, guarded('always'), async () => 'done')
  registerRoute(app, guarded('sometimes'), async (request) => {
    if ((request.body as { needed: boolean } | undefined)?.needed) requireStepUp(request)
    return 'done'
  })
})

test('an endpoint that needs a step-up refuses before it reads the body; another one decides itself', async () => {
  const sessionId = randomUUID()
  const headers = auth.bearer(userId, sessionId)
  const post = async (url: string, more: object, payload?: object | string) => {
    const { statusCode, body } = await guardedApp.inject({
      method: 'POST',
      url,
      headers: { ...headers, ...more },
      payload,
    })
    return [statusCode, statusCode === 403 ? JSON.parse(body).code : body]
  }
  const refused = [403, 'step_up_required']
  const stepUp = auth.stepUp(userId, sessionId)

  expect(await post('/always', { 'content-type': 'application/json' }, '{')).toEqual(refused)
  expect(await post('/always', stepUp)).toEqual([200, 'done'])
  expect(await post('/sometimes', {}, { needed: false })).toEqual([200, 'done'])
  expect(await post('/sometimes', {}, { needed: true })).toEqual(refused)
  expect(await post('/sometimes', stepUp, { needed: true })).toEqual([200, 'done'])
})

test('a public endpoint cannot demand a step-up', async () => {
  const open = createApp({ log: testLog, name: 'test' })
  const wrong = endpoint({ method: 'POST', path: '/open', access: 'public', stepUp: 'always' })
  await expect(open.register(async (app) => registerRoute(app, wrong, async () => 'done'))).rejects.toThrow(
    'a step-up needs a caller',
  )
})
