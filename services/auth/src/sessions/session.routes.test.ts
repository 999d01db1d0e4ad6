import { createHmac, createPrivateKey, createPublicKey, randomUUID, sign } from 'node:crypto'
import { listSessions } from '@nifty/api/auth/internal'
import { reinstateAccount, suspendAccount } from '@nifty/api/auth/ops'
import { sql } from 'kysely'
import { afterAll, expect, test, vi } from 'vitest'
import { asOperator, givenMember, type Member, newKey, startTestAuth } from '../testing/auth.ts'

const auth = await startTestAuth({}, afterAll)
const refusal = { success: false, code: 'unauthenticated', message: 'Authentication required' }

const whoAmI = (token: string) => auth.call('GET', '/api/auth/user', { token })
const encode = (part: object | string) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
const publicPem = (key: string) => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString()

/** A token with changed header or claims, signed by default with auth's own key. */
function forge(real: string, { header = {}, claims = {}, key = auth.config.signingKey } = {}) {
  const [head, body] = real.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
  const text = `${encode({ ...head, ...header })}.${encode({ ...body, ...claims })}`
  return `${text}.${sign(null, Buffer.from(text), createPrivateKey(key)).toString('base64url')}`
}
const decodable = (real: string) => `${real.split('.').slice(0, 2).join('.')}.`

test('the current user contains the fields of the account and no secret', async () => {
  const ada = await givenMember(auth)

  const { status, headers, body } = await whoAmI(ada.token)

  expect(status).toBe(200)
  expect(headers['cache-control']).toBe('no-store')
  expect(body.user).toMatchObject({ _id: ada.id, username: ada.username, email: ada.email, admin: false })
  expect(Object.keys(body.user).sort()).toEqual(
    ['_id', 'admin', 'avatar', 'email', 'emailConfirmed', 'firstName', 'lastName', 'metamaskAddress', 'notifications']
      .concat(['username', 'walletProven'])
      .sort(),
  )
})

test('after log-out the token is refused, and the list for other services contains its session', async () => {
  const ada = await givenMember(auth)
  const { sid } = JSON.parse(Buffer.from(ada.token.split('.')[1]!, 'base64url').toString())
  const list = () => auth.internal(listSessions)
  expect((await list()).endedSessions).not.toContain(sid)

  expect((await auth.call('POST', '/api/auth/logout', { token: ada.token })).body).toEqual({ success: true })

  expect(await whoAmI(ada.token)).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    body: refusal,
  })
  expect((await list()).endedSessions).toContain(sid)
  expect((await auth.call('POST', '/api/auth/logout', { token: ada.token })).status).toBe(401)
})

test('an ended session leaves the list after its token has expired', async () => {
  const ada = await givenMember(auth)
  await auth.call('POST', '/api/auth/logout', { token: ada.token })
  await auth.db
    .updateTable('session')
    .set({ expiresAt: new Date(Date.now() - 3_600_000) })
    .where('accountId', '=', ada.id)
    .execute()
  const { endedSessions } = await auth.internal(listSessions)
  const { id } = await auth.db
    .selectFrom('session')
    .select('id')
    .where('accountId', '=', ada.id)
    .executeTakeFirstOrThrow()
  expect(endedSessions).not.toContain(id)
})

test('a reading since the last one has the sessions that ended in between, also of a transaction that began before', async () => {
  const members = [await givenMember(auth), await givenMember(auth), await givenMember(auth)]
  const [early, between, late] = members.map(
    ({ token }) => JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).sid as string,
  )
  const open = await auth.db.startTransaction().execute()
  await sql`update session set ended_at = now() where id = ${early}`.execute(open)
  const first = await auth.internal(listSessions)
  expect(first.endedSessions).not.toContain(early)

  await auth.call('POST', '/api/auth/logout', members[1])
  const second = await auth.internal(listSessions, { query: { since: first.cursor } })
  expect(second.endedSessions).toContain(between)
  expect(second.endedSessions).not.toContain(early)
  await open.commit().execute()
  await auth.call('POST', '/api/auth/logout', members[2])
  const third = await auth.internal(listSessions, { query: { since: second.cursor } })
  expect(third.endedSessions).toEqual(expect.arrayContaining([early, late]))

  // A snapshot counts open transactions of all databases of the server, those of other tests too: entries are repeated
  // until they end.
  await vi.waitFor(async () => {
    const { cursor } = await auth.internal(listSessions)
    expect((await auth.internal(listSessions, { query: { since: cursor } })).endedSessions).toEqual([])
  }, 10_000)
  const ofAnotherCluster = { since: '9000000000000000000' }
  expect((await auth.internal(listSessions, { query: ofAnotherCluster })).endedSessions).toContain(early)
})

const soon = Math.floor(Date.now() / 1000)
const forgeries: [string, (real: string) => string][] = [
  ['nothing at all', () => 'x'],
  ['no signature', decodable],
  ['algorithm none', (real) => `${encode({ alg: 'none', typ: 'JWT' })}.${real.split('.')[1]}.`],
  ['another key', (real) => forge(real, { key: newKey() })],
  ['an unknown key id', (real) => forge(real, { header: { kid: '../../dev/null' } })],
  ['no key id', (real) => forge(real, { header: { kid: undefined } })],
  ['a key of its own', (real) => forge(real, { header: { jwk: { kty: 'OKP' } }, key: newKey() })],
  ['the address of a key', (real) => forge(real, { header: { jku: 'https://evil.tld', x5u: 'x' }, key: newKey() })],
  ['a critical header', (real) => forge(real, { header: { crit: ['exp'] } })],
  ['another issuer', (real) => forge(real, { claims: { iss: 'evil' } })],
  ['another audience', (real) => forge(real, { claims: { aud: 'evil' } })],
  ['no issuer', (real) => forge(real, { claims: { iss: undefined } })],
  ['no audience', (real) => forge(real, { claims: { aud: undefined } })],
  ['no end', (real) => forge(real, { claims: { exp: undefined } })],
  ['an end in the past', (real) => forge(real, { claims: { exp: soon - 60, iat: soon - 120 } })],
  ['an end as text', (real) => forge(real, { claims: { exp: `${soon + 60}` } })],
  ['an end in parts of a second', (real) => forge(real, { claims: { exp: soon + 60.5 } })],
  ['an end in milliseconds', (real) => forge(real, { claims: { exp: (soon + 60) * 1000 } })],
  ['an end in ten years', (real) => forge(real, { claims: { exp: soon + 315_360_000 } })],
  ['a beginning in the future', (real) => forge(real, { claims: { iat: soon + 3600, exp: soon + 7200 } })],
  ['no session', (real) => forge(real, { claims: { sid: undefined } })],
  ['an unknown session', (real) => forge(real, { claims: { sid: randomUUID() } })],
  ['no subject', (real) => forge(real, { claims: { sub: undefined } })],
  ['another account as its subject', (real) => forge(real, { claims: { sub: randomUUID() } })],
]

test.each(forgeries)('a token with %s is refused', async (_, make) => {
  const ada = await givenMember(auth)
  expect(await whoAmI(make(ada.token))).toMatchObject({ status: 401, body: refusal })
})

test('a token signed by HMAC with the public key as its secret is refused', async () => {
  const ada = await givenMember(auth)
  const [head, body] = ada.token.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
  const text = `${encode({ ...JSON.parse(head!), alg: 'HS256' })}.${encode(body!)}`
  const signature = createHmac('sha256', publicPem(auth.config.signingKey)).update(text).digest('base64url')
  expect(await whoAmI(`${text}.${signature}`)).toMatchObject({ status: 401, body: refusal })
})

test('a token made by the same code with the right key and claims is accepted', async () => {
  const ada = await givenMember(auth)
  expect((await whoAmI(forge(ada.token))).status).toBe(200)
})

test('a token is accepted in the Authorization header only', async () => {
  const { token } = await givenMember(auth)
  const get = (url: string, headers = {}) => auth.app.inject({ url, headers })
  expect((await get(`/api/auth/user?token=${token}&access_token=${token}`)).statusCode).toBe(401)
  expect((await get('/api/auth/user', { cookie: `token=${token}` })).statusCode).toBe(401)
  expect((await get('/api/auth/user', { 'x-user-id': randomUUID() })).statusCode).toBe(401)
})

const writes: [string, (someone: Member) => ['POST' | 'PUT' | 'DELETE', string, object?]][] = [
  ['log-out', () => ['POST', '/api/auth/logout']],
  ['the log-out of a session', ({ id }) => ['DELETE', `/api/auth/sessions/${id}`]],
  ['the log-out of other sessions', () => ['DELETE', '/api/auth/sessions']],
  ['another confirmation mail', () => ['POST', '/api/auth/resend-confirmation']],
  ['the profile', ({ id }) => ['PUT', `/api/users/${id}`, { firstName: 'Eve' }]],
  ['the avatar', ({ id }) => ['PUT', `/api/users/${id}/upload-avatar`]],
  ['the password', ({ id }) => ['PUT', `/api/users/${id}/change-password`, { oldPassword: 'x', newPassword: 'y' }]],
  ['the account', ({ id }) => ['DELETE', `/api/users/${id}`]],
  ['a step-up', () => ['POST', '/api/auth/step-up', { password: 'x' }]],
  ['a step-up challenge', () => ['POST', '/api/auth/step-up/challenge']],
  ['a wallet challenge', () => ['POST', '/api/wallet/challenge', { address: `0x${'1'.repeat(40)}` }]],
  [
    'the wallet',
    ({ id }) => ['POST', '/api/wallet/connect-metamask', { userId: id, metamaskAddress: `0x${'1'.repeat(40)}` }],
  ],
]

test.each(writes)('%s without a token is a 401, also with a cookie', async (_, request) => {
  const ada = await givenMember(auth)
  const [method, url, payload] = request(ada)
  const answer = await auth.app.inject({ method, url, payload, headers: { cookie: `token=${ada.token}` } })
  expect(answer.statusCode).toBe(401)
  expect(answer.json()).toMatchObject(refusal)
})

test.each(writes.filter(([name]) => /profile|avatar|password|account|the wallet/.test(name)))(
  '%s of another account is a 403, and stays unchanged',
  async (_, request) => {
    const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
    const row = () => auth.db.selectFrom('account').selectAll().where('id', '=', ada.id).executeTakeFirst()
    const before = await row()
    const [method, path, body] = request(ada)

    const answer = await auth.call(method, path, { body, token: eve.token, stepUp: eve.stepUp })

    expect(answer).toMatchObject({ status: 403, body: { success: false, message: 'Forbidden' } })
    expect(await row()).toEqual(before)
  },
)

test('a suspension ends every session at once, and reinstating the account restores none', async () => {
  const ada = await givenMember(auth)
  await auth.internal(suspendAccount, { body: asOperator(ada.email) })
  expect((await whoAmI(ada.token)).status).toBe(401)
  await auth.internal(reinstateAccount, { body: asOperator(ada.email) })
  expect((await whoAmI(ada.token)).status).toBe(401)
})
