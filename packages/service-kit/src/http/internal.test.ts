import { generateKeyPairSync } from 'node:crypto'
import { endpoint } from '@nifty/api/endpoint'
import { createSigner } from 'fast-jwt'
import { Type } from 'typebox'
import { afterAll, expect, test } from 'vitest'
import { testLog } from '../testing/log.ts'
import type { Credential } from './client.ts'
import { createInternalApp } from './internal.ts'
import { bodyDigest, operatorCredential, operatorEntry, parseOperators } from './operator-token.ts'
import { registerRoute } from './routes.ts'
import { serviceCredential } from './service-keys.ts'
import { actionOf } from './signed-requests.ts'

const newKey = () => generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const [olgasKey, bensKey, strangersKey] = [newKey(), newKey(), newKey()]
const olga = operatorCredential({ name: 'olga', privateKey: olgasKey })

const ben = operatorCredential({ name: 'ben', privateKey: bensKey })
let rolesOfBen: string | undefined
const entryOfBen = () => operatorEntry(rolesOfBen === undefined ? 'ben' : `ben:${rolesOfBen}`, bensKey)

const app = createInternalApp({
  log: testLog,
  name: 'payments',
  admitted: {
    callers: { catalog: ['the former key of catalog', 'the new key of catalog'], minting: ['the key of minting'] },
    operators: (name) => parseOperators(`${operatorEntry('olga', olgasKey)},${entryOfBen()}`)(name),
  },
})
afterAll(() => app.close())

const readThing = endpoint({ method: 'GET', path: '/internal/things', access: 'service', callers: ['catalog'] })
registerRoute(app, readThing, async () => ({ thing: 1 }))
const change = endpoint({
  method: 'POST',
  path: '/internal/ops/things/:id',
  access: 'operator',
  role: 'money',
  confirm: 'always',
  body: Type.Object({ cents: Type.Integer(), reason: Type.String() }),
})
registerRoute(
  app,
  endpoint({ ...change, path: '/internal/ops/things/search', role: 'support', alsoFor: ['money'] }),
  async () => ({}),
)
registerRoute(app, change, async (request) => ({ ...actionOf(request) }))

const url = '/internal/ops/things/1'
const body = { cents: 5, reason: 'a test' }
const text = JSON.stringify(body)
const post = (headers: Record<string, string>, payload: object = body, path = url) =>
  app.inject({ method: 'POST', url: path, headers, payload })
const signedBy = (credential: Credential, changes: object = {}) =>
  credential({ service: 'payments', method: 'POST', url, body: text, ...changes })

test.each([
  ['the former key of catalog', 200],
  ['the new key of catalog', 200],
  ['the key of minting', 403],
  ['a guess', 403],
  ['', 403],
])('an endpoint for catalog is called with "%s": %i', async (key, expected) => {
  const headers = serviceCredential(key)({ service: 'payments', method: 'GET', url: readThing.path })
  expect((await app.inject({ url: readThing.path, headers })).statusCode).toBe(expected)
})

test("an operator's action has the name of the one who signed it, whatever its body says", async () => {
  const response = await post(signedBy(olga))
  expect(response.json()).toEqual({ ...body, operator: 'olga' })
  const claimed = { ...body, operator: 'ada' }
  expect((await post(signedBy(olga, { body: JSON.stringify(claimed) }), claimed)).json().operator).toBe('olga')
})

test.each([
  ['money', 200],
  ['support+money', 200],
  ['owner', 200],
  [undefined, 200],
  ['support+chain', 403],
  ['moderation', 403],
])('an endpoint with the role money, called by an operator with the roles %s: %i', async (roles, expected) => {
  rolesOfBen = roles

  const response = await post(signedBy(ben))

  expect(response.statusCode).toBe(expected)
  if (expected === 403)
    expect(response.json()).toMatchObject({
      code: 'role_required',
      message: 'This needs an operator with the role money.',
    })
})

test.each([
  ['support', 200],
  ['money', 200],
  ['owner', 200],
  ['moderation+chain', 403],
])(
  'an endpoint with the role support that is also for money, called with the roles %s: %i',
  async (roles, expected) => {
    rolesOfBen = roles

    const response = await post(
      signedBy(ben, { url: '/internal/ops/things/search' }),
      body,
      '/internal/ops/things/search',
    )

    expect(response.statusCode).toBe(expected)
    if (expected === 403) expect(response.json().message).toBe('This needs an operator with the role support or money.')
  },
)

test.each(['mony', '', 'support+', 'support,money', 'Owner', 'support money'])(
  'OPERATORS with the role "%s" is refused by its name',
  (roles) => {
    const unknown = roles.split('+').at(-1)
    expect(() => parseOperators(operatorEntry(`ben:${roles}`, bensKey))).toThrow(
      roles.includes(',')
        ? 'is not a new name'
        : `OPERATORS: ben has the role "${unknown}"; roles are support, money, `,
    )
  },
)

const claimsOf = (changes: object) => ({
  aud: 'payments',
  jti: crypto.randomUUID(),
  htm: 'POST',
  htu: url,
  body: bodyDigest(text),
  ...changes,
})
const signer = (options: { expiresIn?: number; algorithm?: 'none' }) =>
  createSigner({ algorithm: 'EdDSA', key: olgasKey, kid: 'olga', expiresIn: 60_000, ...options } as never)
const tokenOf = (claims: object, options = {}) => ({ authorization: `Bearer ${signer(options)(claims)}` })

test.each<[string, () => Record<string, string>]>([
  ['nothing', () => ({})],
  ['no token', () => ({ authorization: 'Bearer nonsense' })],
  ["a service's key", () => serviceCredential('the new key of catalog')({ service: 'payments', method: 'POST', url })],
  ["a stranger's signature", () => signedBy(operatorCredential({ name: 'mallory', privateKey: strangersKey }))],
  ['a stranger in her name', () => signedBy(operatorCredential({ name: 'olga', privateKey: strangersKey }))],
  ['a signature for another service', () => signedBy(olga, { service: 'minting' })],
  ['a signature for another path', () => signedBy(olga, { url: '/internal/ops/things/2' })],
  ['a signature for another method', () => signedBy(olga, { method: 'GET' })],
  ['a signature of another body', () => signedBy(olga, { body: JSON.stringify({ ...body, cents: 500 }) })],
  ['a signature of no body', () => signedBy(olga, { body: undefined })],
  ['a signature that is valid for an hour', () => tokenOf(claimsOf({}), { expiresIn: 3_600_000 })],
  ['a signature that ended', () => tokenOf(claimsOf({ iat: Math.floor(Date.now() / 1_000) - 90 }))],
  ['a signature for no service', () => tokenOf(claimsOf({ aud: undefined }))],
  ['a signature for two services', () => tokenOf(claimsOf({ aud: ['payments', 'minting'] }))],
  ['a signature of later', () => tokenOf(claimsOf({ iat: Math.floor(Date.now() / 1_000) + 30 }))],
  ['a signature without an id', () => tokenOf(claimsOf({ jti: undefined }))],
])('an operator’s action with %s is refused', async (_what, headers) => {
  expect((await post(headers())).statusCode).toBe(403)
})

test('a signature counts once', async () => {
  const headers = signedBy(olga)
  expect((await post(headers)).statusCode).toBe(200)
  expect((await post(headers)).statusCode).toBe(403)
})

test('an operator calls no endpoint of services, and a path that does not exist is refused too', async () => {
  const get = olga({ service: 'payments', method: 'GET', url: readThing.path })
  expect((await app.inject({ url: readThing.path, headers: get })).statusCode).toBe(403)
  expect((await app.inject('/internal/nothing')).statusCode).toBe(403)
})

test.each(['olga', 'olga=', 'olga=AAAA', 'o l=MCowBQYDK2VwAyEA', `${operatorEntry('olga', olgasKey)},olga=AAAA`])(
  'OPERATORS is refused: %s',
  (entry) => {
    expect(() => parseOperators(entry)).toThrow('is not a new name with an Ed25519 public key')
  },
)
