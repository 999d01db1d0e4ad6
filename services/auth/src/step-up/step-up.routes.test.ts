import { endpoints } from '@nifty/api/endpoints/all'
import { type HDNodeWallet, Wallet } from 'ethers'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { givenMember, type Member, person, prolongDelays, startTestAuth } from '../testing/auth.ts'
import { linkWallet } from '../testing/wallets.ts'

const auth = await startTestAuth({}, afterAll)
const required = { status: 403, body: { code: 'step_up_required' } }
const newPassword = 'a brand new secret phrase'

const stepUp = ({ token }: Member, body: object) => auth.call('POST', '/api/auth/step-up', { body, token })
const challenge = ({ token }: Member) => auth.call('POST', '/api/auth/step-up/challenge', { token })
const methods = async ({ token }: Member) => (await auth.call('GET', '/api/auth/step-up', { token })).body.methods
const row = ({ id }: Member) => auth.db.selectFrom('account').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

type Tokens = Partial<Pick<Member, 'token' | 'stepUp'>>
const changeEmail = ({ id }: Member, tokens: Tokens, email = person().email) =>
  auth.call('PUT', `/api/users/${id}`, { body: { email }, ...tokens })
const changePassword = ({ id, token, password }: Member) =>
  auth.call('PUT', `/api/users/${id}/change-password`, { body: { oldPassword: password, newPassword }, token })

const link = (member: Member, wallet: HDNodeWallet, tokens: Tokens, options?: { signed: boolean }) =>
  linkWallet(auth, member, wallet, tokens, options)
async function stepUpBy(member: Member, wallet: HDNodeWallet) {
  const { message } = (await challenge(member)).body
  return stepUp(member, { wallet: { message, signature: await wallet.signMessage(message) } })
}

const guarded: Record<string, (member: Member, tokens: Tokens) => Promise<{ status: number; body: any }>> = {
  'PUT /api/users/:id': changeEmail,
  'DELETE /api/users/:id': ({ id }, tokens) => auth.call('DELETE', `/api/users/${id}`, tokens),
  'POST /api/wallet/connect-metamask': (member, tokens) => link(member, Wallet.createRandom(), tokens),
  'GET /api/auth/security-events': (_, tokens) => auth.call('GET', '/api/auth/security-events', tokens),
  'GET /api/auth/export': (_, tokens) => auth.call('GET', '/api/auth/export', tokens),
}

test('every endpoint of auth that needs a step-up is tested here, in second-factors/ or in passkeys/', () => {
  const elsewhere = /^\/api\/auth\/(?:second-factor|passkeys)|\/change-password$/
  const declared = endpoints.auth.public.filter(({ stepUp, path }) => stepUp && !elsewhere.test(path))
  expect(Object.keys(guarded).sort()).toEqual(declared.map(({ method, path }) => `${method} ${path}`).sort())
})

test('a first wallet needs a step-up', async () => {
  const ada = await givenMember(auth)
  expect(await link(ada, Wallet.createRandom(), { stepUp: undefined })).toMatchObject(required)
  expect(await row(ada)).toMatchObject({ wallet: null })
  expect((await link(ada, Wallet.createRandom(), ada)).status).toBe(200)
})

test.each(Object.entries(guarded))('%s needs a step-up of the same session', async (_, send) => {
  const ada = await givenMember(auth)
  await link(ada, Wallet.createRandom(), ada)
  const { body: other } = await auth.call('POST', '/api/auth/login', { body: ada })
  const before = await row(ada)

  for (const refused of [undefined, ada.token, other.stepUp, `${ada.stepUp}x`])
    expect(await send(ada, { token: ada.token, stepUp: refused })).toMatchObject(required)
  expect(await row(ada)).toEqual(before)

  const { body } = await stepUp(ada, { password: ada.password })
  expect((await send(ada, { token: ada.token, stepUp: body.stepUp })).status).toBe(200)
})

test('log-in, lock screen and change of password answer a step-up token of ten minutes', async () => {
  const ada = await givenMember(auth)
  const { password } = ada
  const locked = await auth.call('POST', '/api/auth/lockscreen-login', { body: { userId: ada.id, password } })
  const { iat, exp } = JSON.parse(Buffer.from(locked.body.stepUp.split('.')[1], 'base64url').toString())
  expect(exp - iat).toBe(600)
  const changed = await changePassword(ada)
  expect(await changeEmail(ada, locked.body)).toMatchObject({ status: 401 })
  expect((await changeEmail(ada, changed.body)).status).toBe(200)
})

test('a profile without another address needs no step-up', async () => {
  const ada = await givenMember(auth)
  const { token } = ada
  const body = { email: ada.email.toUpperCase(), firstName: 'Augusta' }
  expect((await auth.call('PUT', `/api/users/${ada.id}`, { body, token })).status).toBe(200)
})

test('a refused change of address leaves the rest of the profile unchanged', async () => {
  const ada = await givenMember(auth)
  const body = { email: person().email, firstName: 'Eve' }
  expect(await auth.call('PUT', `/api/users/${ada.id}`, { body, token: ada.token })).toMatchObject(required)
  expect(await row(ada)).toMatchObject({ firstName: 'Ada', pendingEmail: null })
})

test('a wrong password is refused and counted together with failed log-ins', async () => {
  const ada = await givenMember(auth)
  for (let time = 0; time < 5; time++) expect((await stepUp(ada, { password: 'wrong' })).status).toBe(400)
  await prolongDelays(auth.db)
  expect((await stepUp(ada, { password: 'wrong' })).status).toBe(429)
  const login = await auth.call('POST', '/api/auth/login', { body: ada })
  expect(login.status).toBe(429)
})

test.each([
  ['nothing', {}],
  ['two methods', { password: 'x', wallet: { message: 'x', signature: 'x' } }],
  ['an unknown method', { wink: true }],
  ['no body', undefined],
])('a step-up with %s is a 400', async (_, body) => {
  expect((await stepUp(await givenMember(auth), body as object)).status).toBe(400)
})

test('a wallet that was linked with a step-up signs for one at once', async () => {
  const ada = await givenMember(auth)
  const wallet = Wallet.createRandom()
  expect(await methods(ada)).toEqual(['password'])
  await link(ada, wallet, ada)
  expect(await methods(ada)).toEqual(['password', 'wallet'])

  const { body } = await stepUpBy(ada, wallet)

  expect((await changeEmail(ada, { token: ada.token, stepUp: body.stepUp })).status).toBe(200)
})

test('a wallet that was linked without a step-up signs for one 24 hours after it was proven', async () => {
  const eve = await givenMember(auth)
  const other = Wallet.createRandom()
  await link(eve, other, eve)
  // As former releases linked a first wallet.
  await sql`update account set wallet_stepped_up = false where id = ${eve.id}`.execute(auth.db)
  expect(await methods(eve)).toEqual(['password'])
  expect(await challenge(eve)).toMatchObject({ status: 409, body: { code: 'wallet_too_new' } })
  const proof = { message: 'x', signature: 'x' }
  expect(await stepUp(eve, { wallet: proof })).toMatchObject({ status: 409, body: { code: 'wallet_too_new' } })

  await sql`update account set wallet_proven_at = now() - interval '24 hours' where id = ${eve.id}`.execute(auth.db)
  expect((await stepUpBy(eve, other)).status).toBe(200)
})

test('a signature counts once, from the linked wallet, and for the text of a step-up only', async () => {
  const ada = await givenMember(auth)
  const wallet = Wallet.createRandom()
  await link(ada, wallet, ada)
  const refused = { status: 400, body: { code: 'invalid_signature' } }

  expect(await stepUpBy(ada, Wallet.createRandom())).toMatchObject(refused)
  const { message } = (await challenge(ada)).body
  const signature = await wallet.signMessage(message)
  expect((await stepUp(ada, { wallet: { message, signature } })).status).toBe(200)
  expect(await stepUp(ada, { wallet: { message, signature } })).toMatchObject(refused)

  const body = { address: wallet.address }
  const toLink = (await auth.call('POST', '/api/wallet/challenge', { body, token: ada.token })).body.message
  const signed = { message: toLink, signature: await wallet.signMessage(toLink) }
  expect(await stepUp(ada, { wallet: signed })).toMatchObject(refused)
  const { message: confirming } = (await challenge(ada)).body
  const connect = { message: confirming, signature: await wallet.signMessage(confirming) }
  const answer = await auth.call('POST', '/api/wallet/connect-metamask', {
    ...ada,
    body: { userId: ada.id, metamaskAddress: wallet.address, ...connect },
  })
  expect(answer).toMatchObject(refused)
})
