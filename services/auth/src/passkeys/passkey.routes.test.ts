import { unfreezeAccount } from '@nifty/api/auth/ops'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import {
  asOperator,
  expireFreezeLinks,
  givenMember,
  type Member,
  publishedEvents,
  startTestAuth,
} from '../testing/auth.ts'
import { createAuthenticator, givenPasskey } from '../testing/authenticator.ts'

const auth = await startTestAuth({}, afterAll)
const path = '/api/auth/passkeys'
const { publicUrl: origin } = auth.config

const refused = { status: 400, body: { code: 'invalid_passkey' } }
const options = async ({ token, stepUp }: Member) =>
  (await auth.call('POST', `${path}/options`, { token, stepUp })).body.options
const create = ({ token, stepUp }: Member, response: object, name = 'Phone') =>
  auth.call('POST', path, { body: { name, response }, token, stepUp })
const list = async ({ token }: Member) => (await auth.call('GET', path, { token })).body.passkeys
const notices = async ({ id }: Member) =>
  (await publishedEvents(auth.db, 'security-notice-requested', id)).map(({ what }) => what)

test('a passkey is added, renamed and removed; each change is mailed and a security event', async () => {
  const ada = await givenMember(auth)
  const asked = await options(ada)
  expect(asked).toMatchObject({
    rp: { id: new URL(origin).hostname, name: 'Nifty' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: [],
  })
  expect(Buffer.from(asked.user.id, 'base64url').toString()).toBe(ada.id)

  const { status, body } = await create(ada, createAuthenticator({ origin }).create(asked), ' Phone ')

  expect(status).toBe(200)
  expect(body).toEqual({ _id: expect.any(String), name: 'Phone', createdAt: expect.any(String), lastUsedAt: null })
  expect(await list(ada)).toEqual([body])
  expect((await options(ada)).excludeCredentials).toHaveLength(1)
  const renamed = await auth.call('PUT', `${path}/${body._id}`, { ...ada, body: { name: 'Key' } })
  expect(renamed).toMatchObject({ status: 200, body: { _id: body._id, name: 'Key' } })
  expect((await auth.call('DELETE', `${path}/${body._id}`, ada)).status).toBe(200)
  expect(await list(ada)).toEqual([])

  expect(await notices(ada)).toEqual(['passkey_added', 'passkey_renamed', 'passkey_removed'])
  const { events } = (await auth.call('GET', '/api/auth/security-events', ada)).body
  expect(events.slice(0, 3).map(({ kind }: { kind: string }) => kind)).toEqual([
    'passkey_removed',
    'passkey_renamed',
    'passkey_added',
  ])
})

test.each([
  ['the options', 'POST', '/options', undefined],
  ['adding one', 'POST', '', { name: 'x', response: createAuthenticator({ origin }).create(anyOptions()) }],
  ['renaming one', 'PUT', `/${crypto.randomUUID()}`, { name: 'x' }],
  ['removing one', 'DELETE', `/${crypto.randomUUID()}`, undefined],
] as const)('%s needs a step-up', async (_, method, rest, body) => {
  const { token } = await givenMember(auth)
  const answer = await auth.call(method, path + rest, { token, body })
  expect(answer).toMatchObject({ status: 403, body: { code: 'step_up_required' } })
})

function anyOptions() {
  return { challenge: 'eA', rp: { id: 'localhost' }, user: { id: 'eA' } }
}

test.each([
  ['of another origin', { origin: 'https://evil.test' }],
  ['for another host name', { rpId: 'evil.test' }],
  ['whose user was not verified', { verified: false }],
])('a passkey %s is refused', async (_, changes) => {
  const ada = await givenMember(auth)
  const made = createAuthenticator({ origin }).create(await options(ada), changes)
  expect(await create(ada, made)).toMatchObject(refused)
  expect(await list(ada)).toEqual([])
  expect(await notices(ada)).toEqual([])
})

test('a challenge registers once, for its account and purpose, within five minutes', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const asked = await options(ada)
  const made = () => createAuthenticator({ origin }).create(asked)
  expect(await create(eve, made())).toMatchObject(refused)
  expect((await create(ada, made())).status).toBe(200)
  expect(await create(ada, made())).toMatchObject(refused)

  const late = createAuthenticator({ origin }).create(await options(ada))
  await sql`update passkey_challenge set expires_at = expires_at - interval '5 minutes'`.execute(auth.db)
  expect(await create(ada, late)).toMatchObject(refused)

  const { options: toLogIn } = (await auth.call('POST', '/api/auth/login/passkey/options')).body
  const mixed = { ...anyOptions(), challenge: toLogIn.challenge, rp: { id: new URL(origin).hostname } }
  expect(await create(ada, createAuthenticator({ origin }).create(mixed))).toMatchObject(refused)
  expect(await create(ada, createAuthenticator({ origin }).create(anyOptions()))).toMatchObject(refused)
})

test('a registered passkey is registered for no second account, nor twice', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const { authenticator } = await givenPasskey(auth, ada)
  for (const member of [ada, eve])
    expect(await create(member, authenticator.create(await options(member)))).toMatchObject({
      status: 409,
      body: { code: 'passkey_exists' },
    })
  expect(await list(eve)).toEqual([])
})

test('a passkey of another account is neither listed, renamed nor removed', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  const { id } = await givenPasskey(auth, ada)
  const none = { status: 404, body: { code: 'passkey_not_found' } }
  expect(await list(eve)).toEqual([])
  expect(await auth.call('PUT', `${path}/${id}`, { ...eve, body: { name: 'Mine' } })).toMatchObject(none)
  expect(await auth.call('DELETE', `${path}/${id}`, eve)).toMatchObject(none)
  expect(await list(ada)).toMatchObject([{ _id: id, name: 'Phone' }])
  expect(await notices(eve)).toEqual([])
})

test('an account has at most 20 passkeys', async () => {
  const ada = await givenMember(auth)
  const last = createAuthenticator({ origin }).create(await options(ada))
  await sql`insert into passkey (account_id, credential_id, public_key, counter, name)
    select ${ada.id}, ${ada.id} || number, 'x', 0, 'x' from generate_series(1, 20) as number`.execute(auth.db)
  const full = { status: 409, body: { code: 'too_many_passkeys' } }
  expect(await create(ada, last)).toMatchObject(full)
  expect(await auth.call('POST', `${path}/options`, ada)).toMatchObject(full)
})

test.each([
  ['no name', { name: ' ' }],
  ['a name with invisible characters', { name: 'Pho\u202Ene' }],
  ['a long name', { name: 'x'.repeat(61) }],
  ['no response', { response: undefined }],
  ['an odd response', { response: { id: '!', type: 'public-key' } }],
  ['client data that is no JSON', { response: withClientData('eA') }],
  ['client data without a challenge', { response: withClientData('e30') }],
  ['client data that is null', { response: withClientData('bnVsbA') }],
])('%s is a 400', async (_, changes) => {
  const ada = await givenMember(auth)
  const response = createAuthenticator({ origin }).create(await options(ada))
  const body = { name: 'Phone', response, ...changes }
  expect((await auth.call('POST', path, { ...ada, body })).status).toBe(400)
})

function withClientData(clientDataJSON: string) {
  const made = createAuthenticator({ origin }).create(anyOptions())
  return { ...made, response: { ...made.response, clientDataJSON } }
}

test('deleting an account deletes its passkeys, and unfreezing those that were added since the mail', async () => {
  const [ada, eve] = [await givenMember(auth), await givenMember(auth)]
  await givenPasskey(auth, ada)
  await options(ada)
  await expireFreezeLinks(auth)
  await auth.call('DELETE', `/api/users/${ada.id}`, ada)
  const { rows } = await sql`
    select from passkey where account_id = ${ada.id}
    union all select from passkey_challenge where account_id = ${ada.id}`.execute(auth.db)
  expect(rows).toEqual([])

  const { id: older } = await givenPasskey(auth, eve)
  const { id: newer } = await givenPasskey(auth, eve, 'of the thief')
  await sql`update passkey set created_at = now() - interval '2 hours' where id = ${older}`.execute(auth.db)
  await sql`update account set frozen_at = now(), frozen_email = email, frozen_link_at = now() - interval '1 hour'
    where id = ${eve.id}`.execute(auth.db)
  await auth.internal(unfreezeAccount, { body: asOperator(eve.email) })
  const left = await sql<{ id: string }>`select id from passkey where account_id = ${eve.id}`.execute(auth.db)
  expect(left.rows).toEqual([{ id: older }])
  expect(newer).not.toBe(older)
})
