import { suspendAccount } from '@nifty/api/auth/ops'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { asOperator, givenMember, type Member, publishedEvents, startTestAuth } from '../testing/auth.ts'
import { createAuthenticator, givenPasskey } from '../testing/authenticator.ts'
import { givenSecondFactor } from '../testing/second-factor.ts'

const auth = await startTestAuth({}, afterAll)
const { publicUrl: origin } = auth.config
const refused = { status: 400, body: { code: 'invalid_passkey' } }

const options = async () => (await auth.call('POST', '/api/auth/login/passkey/options')).body.options
const enter = (response: object, from?: string) =>
  auth.call('POST', '/api/auth/login/passkey', { body: { response }, from })
const toStepUp = async ({ token }: Member) =>
  (await auth.call('POST', '/api/auth/step-up/passkey', { token })).body.options
const stepUp = ({ token }: Member, passkey: object) =>
  auth.call('POST', '/api/auth/step-up', { body: { passkey }, token })
const account = (id: string, changes: object) =>
  auth.db.updateTable('account').set(changes).where('id', '=', id).execute()

async function given() {
  const ada = await givenMember(auth)
  return { ada, ...(await givenPasskey(auth, ada)) }
}

test('a passkey logs in without password and code, and its log-in answers a step-up token', async () => {
  const { ada, authenticator, id } = await given()
  await givenSecondFactor(auth, ada)
  const asked = await options()
  expect(asked).toMatchObject({ rpId: new URL(origin).hostname, allowCredentials: [], userVerification: 'required' })

  const { status, body } = await enter(authenticator.sign(asked))

  expect({ status, body }).toMatchObject({
    status: 200,
    body: { success: true, userId: ada.id, username: ada.username },
  })
  const renamed = await auth.call('PUT', `/api/auth/passkeys/${id}`, { ...body, body: { name: 'Key' } })
  expect(renamed.body).toMatchObject({ name: 'Key', lastUsedAt: expect.any(String) })
  const { events } = (await auth.call('GET', '/api/auth/security-events', body)).body
  expect(events.find(({ kind }: { kind: string }) => kind === 'log_in')).toMatchObject({
    outcome: 'ok',
    thisSession: true,
  })
})

test('a log-in by passkey from a new device is mailed', async () => {
  const { ada, authenticator } = await given()
  await enter(authenticator.sign(await options()), '192.0.2.200')
  const notices = await publishedEvents(auth.db, 'security-notice-requested', ada.id)
  expect(notices.at(-1)).toMatchObject({ what: 'new_device' })
})

test.each([
  ['of another origin', { origin: 'https://evil.test' }],
  ['for another host name', { rpId: 'evil.test' }],
  ['whose user was not verified', { verified: false }],
  ['for another account', { userHandle: Buffer.from(crypto.randomUUID()).toString('base64url') }],
])('a signature %s is refused, for log-in and step-up', async (_, changes) => {
  const { ada, authenticator } = await given()
  expect(await enter(authenticator.sign(await options(), changes))).toMatchObject(refused)
  expect(await stepUp(ada, authenticator.sign(await toStepUp(ada), changes))).toMatchObject(refused)
})

test('a signature by another key than that of the passkey is refused', async () => {
  const { ada, authenticator } = await given()
  const other = createAuthenticator({ origin })
  const { id, rawId } = authenticator.sign(await options())
  const claimed = { ...other.sign(await options(), { userHandle: null }), id, rawId }
  expect(await enter(claimed)).toMatchObject(refused)
  expect(await stepUp(ada, { ...other.sign(await toStepUp(ada), { userHandle: null }), id, rawId })).toMatchObject(
    refused,
  )
})

test('a challenge counts once, for its purpose, and within five minutes', async () => {
  const { ada, authenticator } = await given()
  const asked = await options()
  expect((await enter(authenticator.sign(asked))).status).toBe(200)
  expect(await enter(authenticator.sign(asked))).toMatchObject(refused)

  const failed = await options()
  expect(await enter(authenticator.sign(failed, { verified: false }))).toMatchObject(refused)
  expect(await enter(authenticator.sign(failed))).toMatchObject(refused)

  expect(await enter(authenticator.sign(await toStepUp(ada)))).toMatchObject(refused)
  expect(await stepUp(ada, authenticator.sign(await options()))).toMatchObject(refused)
  const { challenge } = (await auth.call('POST', '/api/auth/passkeys/options', ada)).body.options
  expect(await stepUp(ada, authenticator.sign({ challenge, rpId: asked.rpId }))).toMatchObject(refused)
  const own = { challenge: Buffer.from('made by the client').toString('base64url'), rpId: asked.rpId }
  expect(await enter(authenticator.sign(own))).toMatchObject(refused)

  const [late, lateStepUp] = [await options(), await toStepUp(ada)]
  await sql`update passkey_challenge set expires_at = expires_at - interval '5 minutes'`.execute(auth.db)
  expect(await enter(authenticator.sign(late))).toMatchObject(refused)
  expect(await stepUp(ada, authenticator.sign(lateStepUp))).toMatchObject(refused)
})

test('a counter that does not grow is refused: the passkey may have been copied', async () => {
  const { authenticator } = await given()
  const sign = async (counter: number) => enter(authenticator.sign(await options(), { counter }))
  expect((await sign(0)).status).toBe(200)
  expect((await sign(7)).status).toBe(200)
  for (const counter of [7, 6, 0]) expect(await sign(counter)).toMatchObject(refused)
  expect((await sign(8)).status).toBe(200)
})

test('a removed and an unknown passkey are refused', async () => {
  const { ada, authenticator, id } = await given()
  const asked = await toStepUp(ada)
  await auth.call('DELETE', `/api/auth/passkeys/${id}`, ada)
  expect(await enter(authenticator.sign(await options()))).toMatchObject(refused)
  expect(await stepUp(ada, authenticator.sign(asked))).toMatchObject(refused)
  expect(await enter(createAuthenticator({ origin }).sign(await options()))).toMatchObject(refused)
})

test('a frozen account is refused with its name, a suspended one and one with a wrong signature without', async () => {
  const { ada, authenticator } = await given()
  await account(ada.id, { frozenAt: new Date(), frozenEmail: ada.email, frozenLinkAt: new Date() })
  const sign = async (changes = {}) => enter(authenticator.sign(await options(), changes))
  expect(await sign()).toMatchObject({ status: 403, body: { code: 'account_frozen' } })
  expect(await sign({ origin: 'https://evil.test' })).toMatchObject(refused)

  const { ada: eve, authenticator: second } = await given()
  await auth.internal(suspendAccount, { body: asOperator(eve.email) })
  expect(await enter(second.sign(await options()))).toMatchObject(refused)
})

test('a passkey is a method of step-up, also in place of password and code', async () => {
  const { ada, authenticator } = await given()
  const methods = async () => (await auth.call('GET', '/api/auth/step-up', { token: ada.token })).body.methods
  expect(await methods()).toEqual(['password', 'passkey'])
  await givenSecondFactor(auth, ada)
  expect(await methods()).toEqual(['passwordAndCode', 'passkey'])
  const asked = await toStepUp(ada)
  expect(asked.allowCredentials).toHaveLength(1)

  const { status, body } = await stepUp(ada, authenticator.sign(asked))

  expect(status).toBe(200)
  const off = await auth.call('DELETE', '/api/auth/second-factor', { token: ada.token, stepUp: body.stepUp })
  expect(off.status).toBe(200)
})

test('a passkey of another account is no method of step-up', async () => {
  const { authenticator } = await given()
  const { ada: eve } = await given()
  expect(await stepUp(eve, authenticator.sign(await toStepUp(eve)))).toMatchObject(refused)
  const none = await givenMember(auth)
  const answer = await auth.call('POST', '/api/auth/step-up/passkey', { token: none.token })
  expect(answer).toMatchObject({ status: 409, body: { code: 'no_passkey' } })
})

test.each([{}, { response: null }, { response: { id: 'eA', rawId: 'eA', type: 'public-key', response: {} } }])(
  'a malformed log-in %j is a 400',
  async (body) => {
    expect((await auth.call('POST', '/api/auth/login/passkey', { body })).status).toBe(400)
  },
)
